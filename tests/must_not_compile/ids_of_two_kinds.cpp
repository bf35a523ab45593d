// Ids of different nouns cannot be compared: a BodyId is not a JointId.
// expect: no match for .operator==|invalid operands to binary expression
#include "stiction/base/ids.h"

bool control(stiction::BodyId a, stiction::BodyId b) { return a == b; }

#ifdef MUST_NOT_COMPILE
bool forbidden(stiction::BodyId a, stiction::JointId b) { return a == b; }
#endif
