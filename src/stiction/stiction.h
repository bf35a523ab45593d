// All that a first program includes.
#pragma once

#include "stiction/base/log.h"
#include "stiction/base/result.h"
#include "stiction/formats/scene_file.h"
#include "stiction/model/run_settings.h"
#include "stiction/model/scene.h"
#include "stiction/world/queries.h"
#include "stiction/world/world.h"
