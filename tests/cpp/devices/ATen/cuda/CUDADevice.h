// Stands for libtorch's header, which needs those of CUDA. Generated code uses nothing of it.
#pragma once
