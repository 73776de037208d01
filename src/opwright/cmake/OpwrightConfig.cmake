# Opwright as a step of a build.
#
#   find_package(Opwright REQUIRED)
#   opwright_generate(my_ops SOURCE_PATH ops INSTALL_DIR generated/ATen)     # a library of operators
#   opwright_backend(my_stubs SOURCE_YAML my.yaml OUTPUT_DIR generated)      # kernels for a device of PyTorch
#   add_library(my_library kernels.cpp ${my_ops_SOURCES})
#   add_dependencies(my_library my_ops)
#
# The program is OPWRIGHT_EXECUTABLE when that is set, else the module of the interpreter Python3_EXECUTABLE.

if(CMAKE_VERSION VERSION_LESS 3.20)
  set(Opwright_FOUND FALSE)
  set(Opwright_NOT_FOUND_MESSAGE "Opwright needs CMake 3.20, which knows depfiles under every generator.")
  return()
endif()
cmake_policy(VERSION 3.20)

if(OPWRIGHT_EXECUTABLE)
  set(_opwright_command "${OPWRIGHT_EXECUTABLE}")
else()
  find_package(Python3 QUIET COMPONENTS Interpreter)
  set(_opwright_command "${Python3_EXECUTABLE}" -m opwright)
endif()
execute_process(
  COMMAND ${_opwright_command} --cmake-dir
  RESULT_VARIABLE _opwright_status OUTPUT_QUIET ERROR_VARIABLE _opwright_error
)
if(NOT _opwright_status EQUAL 0)
  list(JOIN _opwright_command " " _opwright_command)
  set(Opwright_FOUND FALSE)
  set(Opwright_NOT_FOUND_MESSAGE
      "'${_opwright_command}' does not run: set OPWRIGHT_EXECUTABLE to the program, or Python3_EXECUTABLE to an \
interpreter that has the package. ${_opwright_error}"
  )
  return()
endif()
# Functions are known everywhere, variables only in the folder of this call.
set_property(GLOBAL PROPERTY OPWRIGHT_COMMAND "${_opwright_command}")

# What the functions below do with their `command`: ask it for its outputs, which are then in the variables
# opwright_general, opwright_core ... and in `all`, and make the target `name`, which runs it.
macro(_opwright_step caller)
  # Which files there are depends on the inputs, so CMake runs again when they change.
  set(inputs ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
  execute_process(
    COMMAND ${command} --print-outputs cmake
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    RESULT_VARIABLE status OUTPUT_VARIABLE outputs
  )
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${caller}: the files of ${name} cannot be made, see above")
  endif()
  cmake_language(EVAL CODE "${outputs}")

  # A file that is right already is not written, so the age of the files does not tell when they were made. A stamp
  # does; the files are by-products, on which other rules may depend nevertheless.
  set(all ${opwright_general} ${opwright_core} ${opwright_ops} ${opwright_cpu_vec} ${opwright_cuda} ${opwright_xpu}
          ${opwright_header_only} ${opwright_aoti}
  )
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${name}.stamp")
  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${all} ${opwright_umbrella}
    COMMAND ${command} --prune --depfile "${stamp}.d"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${inputs}
    DEPFILE "${stamp}.d"
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMENT "Generating ${name}"
    VERBATIM
  )
  add_custom_target(${name} DEPENDS "${stamp}")
endmacro()

# opwright_generate(NAME SOURCE_PATH DIR INSTALL_DIR DIR [PER_OPERATOR_HEADERS] [RELEASE X.Y] [OPTIONS OPTION...])
#
# Makes the target NAME, which generates, and sets the variables NAME_SOURCES, NAME_CPU_VEC_SOURCES, NAME_CUDA_SOURCES,
# NAME_XPU_SOURCES, NAME_AOTI_SOURCES and NAME_HEADERS to what is generated.
function(opwright_generate name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PER_OPERATOR_HEADERS" "SOURCE_PATH;INSTALL_DIR;RELEASE" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "opwright_generate: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCE_PATH OR NOT arg_INSTALL_DIR)
    message(FATAL_ERROR "opwright_generate needs SOURCE_PATH and INSTALL_DIR")
  endif()
  get_filename_component(source "${arg_SOURCE_PATH}" ABSOLUTE)
  get_filename_component(install "${arg_INSTALL_DIR}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_property(command GLOBAL PROPERTY OPWRIGHT_COMMAND)
  list(APPEND command gen --quiet --source-path "${source}" --install-dir "${install}" ${arg_OPTIONS})
  if(arg_PER_OPERATOR_HEADERS)
    list(APPEND command --per-operator-headers)
  endif()
  if(arg_RELEASE)
    list(APPEND command --release "${arg_RELEASE}")
  endif()

  _opwright_step(opwright_generate "${source}/native/native_functions.yaml" "${source}/native/tags.yaml")

  set(sources ${opwright_general} ${opwright_core})
  foreach(group sources opwright_cpu_vec opwright_cuda opwright_xpu opwright_aoti)
    list(FILTER ${group} INCLUDE REGEX "\\.(cpp|cu)$")
  endforeach()
  list(FILTER all INCLUDE REGEX "\\.h$")
  set(${name}_SOURCES ${sources} PARENT_SCOPE)
  set(${name}_CPU_VEC_SOURCES ${opwright_cpu_vec} PARENT_SCOPE)
  set(${name}_CUDA_SOURCES ${opwright_cuda} PARENT_SCOPE)
  set(${name}_XPU_SOURCES ${opwright_xpu} PARENT_SCOPE)
  set(${name}_AOTI_SOURCES ${opwright_aoti} PARENT_SCOPE)
  set(${name}_HEADERS ${all} PARENT_SCOPE)
endfunction()

# opwright_backend(NAME SOURCE_YAML FILE OUTPUT_DIR DIR [IMPL FILE...] [RELEASE X.Y] [OPTIONS OPTION...])
#
# Makes the target NAME, which generates the stubs of a backend, and sets NAME_SOURCES and NAME_HEADERS to what is
# generated. Sources include the header by its name, so OUTPUT_DIR has to be where the compiler looks for headers.
function(opwright_backend name)
  _opwright_backend_files(opwright_backend backend)
endfunction()

# opwright_lazy(NAME SOURCE_YAML FILE OUTPUT_DIR DIR [IMPL FILE...] [RELEASE X.Y] [OPTIONS OPTION...])
#
# The same for a lazy backend.
function(opwright_lazy name)
  _opwright_backend_files(opwright_lazy lazy)
endfunction()

# What these two functions do, each by the verb of that name.
macro(_opwright_backend_files caller verb)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE_YAML;OUTPUT_DIR;RELEASE" "IMPL;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${caller}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCE_YAML OR NOT arg_OUTPUT_DIR)
    message(FATAL_ERROR "${caller} needs SOURCE_YAML and OUTPUT_DIR")
  endif()
  get_filename_component(yaml "${arg_SOURCE_YAML}" ABSOLUTE)
  get_filename_component(output "${arg_OUTPUT_DIR}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_property(command GLOBAL PROPERTY OPWRIGHT_COMMAND)
  list(APPEND command ${verb} --quiet --source-yaml "${yaml}" --output-dir "${output}" --include-prefix= ${arg_OPTIONS})
  if(arg_RELEASE)
    list(APPEND command --release "${arg_RELEASE}")
  endif()
  foreach(path ${arg_IMPL})
    get_filename_component(path "${path}" ABSOLUTE)
    list(APPEND command --impl-path "${path}")
  endforeach()
  _opwright_step(${caller} "${yaml}")

  set(sources ${all})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(FILTER all INCLUDE REGEX "\\.h$")
  set(${name}_SOURCES ${sources} PARENT_SCOPE)
  set(${name}_HEADERS ${all} PARENT_SCOPE)
endmacro()
