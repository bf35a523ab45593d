#include "stiction/impact/impact.h"

namespace stiction::impact {

const char* name_of(Law law) {
  switch (law) {
    case Law::energetic:
      return "energetic";
    case Law::poisson:
      return "poisson";
    case Law::newton:
      return "newton";
  }
  return "";
}

const char* name_of(Status status) {
  switch (status) {
    case Status::not_run:
      return "not_run";
    case Status::bad_input:
      return "bad_input";
    case Status::separating:
      return "separating";
    case Status::done:
      return "done";
    case Status::step_limit:
      return "step_limit";
  }
  return "";
}

const char* name_of(Moment moment) {
  switch (moment) {
    case Moment::begin:
      return "begin";
    case Moment::slip_stops:
      return "slip stops";
    case Moment::compression_ends:
      return "compression ends";
    case Moment::compression_resumes:
      return "compression resumes";
    case Moment::end:
      return "end";
    case Moment::between:
      return "between";
  }
  return "";
}

const char* order_of(const Outcome& o) {
  bool compressed = false;
  for (const Event& e : o.events) {
    if (e.moment == Moment::compression_ends) compressed = true;
    if (e.moment == Moment::slip_stops) return compressed ? "a-c-d-e" : "a-b-e";
  }
  return "a-c-e";
}

std::string modes_of(const Outcome& o) {
  std::string out;
  for (const Event& e : o.events)
    if (e.moment == Moment::begin || e.moment == Moment::slip_stops)
      out += e.slip == Slip::slide ? 'S' : e.slip == Slip::reverse ? 'R' : 'K';
  return out;
}

}  // namespace stiction::impact
