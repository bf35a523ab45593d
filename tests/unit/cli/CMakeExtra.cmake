# The program's own sources are in no library.
target_sources(unit_cli PRIVATE ${PROJECT_SOURCE_DIR}/apps/cli/web_server.cpp)
