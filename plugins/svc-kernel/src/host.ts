/** `svc-kernel/host`: what loads and serves an application needs of the kernel, beyond what plugins and applications use. */
export { noteFirstHook } from './context/request-context.ts'
export { installErrorHandler, installNotFoundHandler } from './http-errors/error-handlers.ts'
export { optionProblems } from './options/option-problems.ts'
export { deepFreeze } from './options/read-options.ts'
export { violations } from './options/schema-compiler.ts'
export { nativeImport, runningMode } from './plugin/app-host.ts'
export { applicationFolder } from './plugin/data-path.ts'
export { formatProblem, formatProblems, type Paint, terminalPaint } from './problems/problem.ts'
