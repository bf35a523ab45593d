# What the report page carries inside the program (report/embedded.h).
include(StictionEmbed)
stiction_embed(stiction_report ${CMAKE_CURRENT_LIST_DIR}/page/report.css report_css)
stiction_embed(stiction_report ${CMAKE_CURRENT_LIST_DIR}/page/report.js report_js)
stiction_embed(stiction_report ${PROJECT_SOURCE_DIR}/third_party/uPlot/uPlot.iife.min.js uplot_js)
stiction_embed(stiction_report ${PROJECT_SOURCE_DIR}/third_party/uPlot/uPlot.min.css uplot_css)
stiction_embed(stiction_report ${PROJECT_SOURCE_DIR}/third_party/uPlot/LICENSE uplot_licence)
