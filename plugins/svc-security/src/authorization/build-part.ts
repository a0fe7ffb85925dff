/**
 * Constructs what factories promise and checks that it can do its work. A factory
 * that fails is one problem of the boot report, with the others, not a crash.
 */
import type { Problem } from 'svc-kernel'
import { readableError } from '../journal/audit-writer.ts'

export interface Built<Part> {
  readonly name: string
  readonly part: Part
}

/**
 * @param kind what the factory makes: `voter`, `authenticator`
 * @param methods methods the part must have
 * @returns `null` when the part is unusable; a problem then tells why
 */
export function buildPart<Part>(
  kind: 'voter' | 'authenticator',
  name: string,
  methods: readonly string[],
  make: () => Part,
  problems: Problem[]
): Built<Part> | null {
  const report = (got: string): null => {
    problems.push({
      code: 'SVC_SEC_FACTORY',
      message: `the ${kind} "${name}" cannot be built`,
      at: `${kind} ${name}`,
      got,
      expected: `an object with ${methods.map((method) => `${method}()`).join(', ')}`,
      fix: `correct what its factory returns, or its entry in parts.${kind}s`,
      more: 'npx svc docs securing-routes'
    })
    return null
  }
  try {
    const part = make()
    const lacking = methods.find((method) => typeof (part as Record<string, unknown> | null)?.[method] !== 'function')
    return lacking === undefined ? { name, part } : report(`no ${lacking}()`)
  } catch (error) {
    const { type, message } = readableError(error)
    return report(`${type}: ${message}`)
  }
}
