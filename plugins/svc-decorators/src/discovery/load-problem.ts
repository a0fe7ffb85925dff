/** Tells why a controller file did not load: its own message, and the line where it happened. */
import { BootError, type Problem } from 'svc-kernel'
import { missingPackage } from 'svc-kernel/plugin'
import { placeIn, shortPath } from '../declarations/call-site.ts'

/** What compilers and module runners add to their errors. */
interface LoadError {
  readonly name?: string
  readonly message?: string
  readonly stack?: string
  readonly code?: string
  readonly loc?: { readonly file?: string; readonly line?: number }
}

/** @param text of the file: Node does not say where it stopped parsing */
export function loadProblem(file: string, text: string, thrown: unknown): readonly Problem[] {
  if (thrown instanceof BootError) return thrown.problems
  const missing = missingPackage(thrown)
  if (missing !== null) return [missing]
  const error: LoadError = typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  const message = (error.message ?? 'no message').split('\n', 1)[0]
  return [
    {
      code: 'SVC_CONTROLLER_FAILED',
      message: `${shortPath(file)} failed to load: ${error.name === undefined ? '' : `${error.name}: `}${message}`,
      at: placeOf(file, error) ?? `${shortPath(file)}${unparsed(error) ? decoratorLine(text) : ''}`,
      fix: fixOf(file, text, error)
    }
  ]
}

function placeOf(file: string, { loc, stack = '' }: LoadError): string | null {
  if (loc?.line !== undefined) return `${shortPath(loc.file ?? file)}:${loc.line}`
  const own = stack.split('\n').find((line) => line.includes(file))
  if (own === undefined) return null
  // A name that another module does not export is placed in the first line of the stack, before the message.
  const linked = /^(?:file:\/\/)?((?:\/|[A-Za-z]:).*:\d+)$/.exec(own)?.[1]
  return linked === undefined ? placeIn(own) : shortPath(linked)
}

/** Decorators need a compiler; which of its options is missing is worth a sentence. */
function fixOf(file: string, text: string, error: LoadError): string {
  if (error.code === 'SVC_DECORATOR_STANDARD')
    return 'set "experimentalDecorators": true under compilerOptions in tsconfig.json'
  if (!unparsed(error)) return 'correct it there; npx svc config:check --verbose shows the stack'
  const isTypeScript = /\.m?ts$/.test(file)
  if (decoratorLine(text) === '') {
    return isTypeScript ? 'npm run build shows the line' : `node --check ${shortPath(file)} shows the line`
  }
  return isTypeScript
    ? 'compile it first: "experimentalDecorators": true in tsconfig.json, then npm run build'
    : 'apply decorators by call in plain JavaScript, or write the file in TypeScript'
}

function unparsed({ name, stack = '', loc }: LoadError): boolean {
  return name === 'SyntaxError' && loc === undefined && stack.startsWith('SyntaxError')
}

/** `:2` when the second line is the first that begins with a decorator. */
function decoratorLine(text: string): string {
  const index = text.split('\n').findIndex((line) => /^\s*@[A-Za-z_$]/.test(line))
  return index === -1 ? '' : `:${index + 1}`
}
