// Files that are built into the program (cmake/StictionEmbed.cmake, report/CMakeExtra.cmake).
#pragma once

#include <string_view>

namespace stiction::embedded {

std::string_view report_css();
std::string_view report_js();
std::string_view uplot_js();  // third_party/uPlot
std::string_view uplot_css();
std::string_view uplot_licence();

}  // namespace stiction::embedded
