/** Tells why a controller file did not load: its own message, and the line where it happened. */
import { BootError, type Problem } from 'svc-kernel'
import { placeIn, shortPath } from '../declarations/call-site.ts'

/** What compilers and module runners add to their errors. */
interface LoadError {
  readonly name?: string
  readonly message?: string
  readonly stack?: string
  readonly code?: string
  readonly loc?: { readonly file?: string; readonly line?: number }
}

export function loadProblem(file: string, thrown: unknown): readonly Problem[] {
  if (thrown instanceof BootError) return thrown.problems
  const error: LoadError = typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  const message = (error.message ?? 'no message').split('\n', 1)[0]
  return [
    {
      code: 'SVC_CONTROLLER_FAILED',
      message: `${shortPath(file)} failed to load: ${error.name === undefined ? '' : `${error.name}: `}${message}`,
      at: placeOf(file, error),
      fix: fixOf(file, error)
    }
  ]
}

function placeOf(file: string, { loc, stack = '' }: LoadError): string {
  if (loc?.line !== undefined) return `${shortPath(loc.file ?? file)}:${loc.line}`
  // Node puts the place of a syntax error in the first line of the stack, before the message.
  const syntax = /^(?:file:\/\/)?(\/.+|[A-Za-z]:\\.+):(\d+)$/m.exec(stack.split('\n', 1)[0] ?? '')
  if (syntax !== null) return `${shortPath(syntax[1] ?? file)}:${syntax[2]}`
  const own = stack.split('\n').find((line) => line.includes(file))
  return (own === undefined ? null : placeIn(own)) ?? shortPath(file)
}

/** Decorators need a compiler; which of its options is missing is worth a sentence. */
function fixOf(file: string, { name, code, stack = '' }: LoadError): string | undefined {
  if (code === 'SVC_DECORATOR_STANDARD')
    return 'set "experimentalDecorators": true under compilerOptions in tsconfig.json'
  if (name === 'SyntaxError' && /^\s*@|@\w+\(/m.test(stack)) {
    return /\.m?ts$/.test(file)
      ? 'compile it first: decorators are no JavaScript yet ("experimentalDecorators": true in tsconfig.json, then npm run build)'
      : 'apply decorators by call in plain JavaScript, or write the file in TypeScript'
  }
  return undefined
}
