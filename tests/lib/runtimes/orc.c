// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compiles a file of LLVM IR at run time with LLVM's ORC, which writes a jitdump, and calls its
 * function `run' for a second and a half. The few functions of LLVM's C API are declared here, as
 * llvm-c/LLJIT.h and others do, so that no package but the library itself is needed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void *ref;

void LLVMInitializeX86TargetInfo(void);
void LLVMInitializeX86Target(void);
void LLVMInitializeX86TargetMC(void);
void LLVMInitializeX86AsmPrinter(void);
ref LLVMCreatePerfJITEventListener(void);
ref LLVMOrcCreateLLJITBuilder(void);
void LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(
	ref builder, ref (*fn)(void *ctx, ref session, const char *triple), void *ctx);
ref LLVMOrcCreateRTDyldObjectLinkingLayerWithSectionMemoryManager(ref session);
void LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(ref layer, ref listener);
ref LLVMOrcCreateLLJIT(ref *ret, ref builder);
ref LLVMOrcLLJITGetMainJITDylib(ref jit);
ref LLVMOrcLLJITAddLLVMIRModule(ref jit, ref dylib, ref module);
ref LLVMOrcLLJITLookup(ref jit, uint64_t *ret, const char *name);
ref LLVMOrcDisposeLLJIT(ref jit);
ref LLVMOrcCreateNewThreadSafeContext(void);
ref LLVMOrcThreadSafeContextGetContext(ref context);
ref LLVMOrcCreateNewThreadSafeModule(ref module, ref context);
int LLVMCreateMemoryBufferWithContentsOfFile(const char *path, ref *ret, char **message);
int LLVMParseIRInContext(ref context, ref buffer, ref *ret, char **message);
char *LLVMGetErrorMessage(ref error);

static void check(ref error)
{
	if (!error)
		return;
	fprintf(stderr, "orc: %s\n", LLVMGetErrorMessage(error));
	exit(1);
}

static ref create_layer(void *ctx, ref session, const char *triple)
{
	ref layer = LLVMOrcCreateRTDyldObjectLinkingLayerWithSectionMemoryManager(session);

	(void)ctx, (void)triple;
	LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(
		layer, LLVMCreatePerfJITEventListener());
	return layer;
}

int main(int argc, char **argv)
{
	ref builder, jit, context, buffer, module;
	char *message = NULL;
	struct timespec from, now;
	uint64_t run;

	if (argc != 2)
		return 2;
	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmPrinter();
	builder = LLVMOrcCreateLLJITBuilder();
	LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, create_layer, NULL);
	check(LLVMOrcCreateLLJIT(&jit, builder));
	context = LLVMOrcCreateNewThreadSafeContext();
	if (LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &message) ||
		LLVMParseIRInContext(
			LLVMOrcThreadSafeContextGetContext(context), buffer, &module, &message)) {
		fprintf(stderr, "orc: %s\n", message);
		return 1;
	}
	check(LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit),
		LLVMOrcCreateNewThreadSafeModule(module, context)));
	check(LLVMOrcLLJITLookup(jit, &run, "run"));
	clock_gettime(CLOCK_MONOTONIC, &from);
	do {
		((void (*)(void))(uintptr_t)run)();
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - from.tv_sec + (now.tv_nsec - from.tv_nsec) / 1e9 < 1.5);
	check(LLVMOrcDisposeLLJIT(jit));
	return 0;
}
