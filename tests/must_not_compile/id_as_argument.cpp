// An id of another noun, or a bare index, is not accepted where a BodyId is asked for.
// expect: could not convert|cannot convert|no viable conversion|invalid initialization
#include "stiction/base/ids.h"

void take(stiction::BodyId);
void control(stiction::BodyId body) { take(body); }

#ifdef MUST_NOT_COMPILE
void forbidden(stiction::SensorId sensor, int index) {
  take(sensor);
  take(index);
}
#endif
