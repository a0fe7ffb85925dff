/**
 * JSON Schema on controllers of an application whose own validator compiler does not read it, such as that of Zod: each
 * request of such a route would be answered with 500. The compiler is asked once, at boot, with a schema that says little.
 */
import type { FastifySchemaCompiler } from 'fastify'
import type { Problem } from 'svc-kernel'
import { isForeignSchema } from 'svc-kernel/plugin'
import { INPUT_PARTS } from '../compile/route-schemas.ts'
import { pendingOf } from '../executor/compile-executor.ts'
import type { BuiltRoute } from './build-route.ts'

const PROBE = { type: 'object', properties: { probe: { type: 'string' } } }

/**
 * @param compiler of the application; Fastify's own is made later
 * @returns `null` where it reads JSON Schema, or no route has one
 */
export function unreadSchemas(compiler: unknown, routes: readonly BuiltRoute[]): Problem | null {
  if (typeof compiler !== 'function') return null
  const unread = routes.filter(hasJsonSchema)
  const [first] = unread
  if (first === undefined || readsJsonSchema(compiler as FastifySchemaCompiler<unknown>)) return null
  const { method, url, config } = first.options
  const others = unread.length === 1 ? '' : ` and ${unread.length - 1} more`
  return {
    code: 'SVC_ROUTE_SCHEMA',
    message: `the validator compiler of this application cannot read the JSON Schema of ${method} ${url}${others}: every request fails with 500`,
    at: config.svc.source ?? undefined,
    got: 'JSON Schema',
    expected: 'a schema that the compiler can read',
    fix: 'write the schema with the library of the compiler, or set validatorCompiler on the route'
  }
}

function hasJsonSchema({ options: { schema = {}, validatorCompiler } }: BuiltRoute): boolean {
  if (validatorCompiler !== undefined) return false
  const parts = schema as Readonly<Record<string, unknown>>
  return INPUT_PARTS.some((part) => parts[part] !== undefined && !isForeignSchema(parts[part]))
}

/** Whatever it throws or refuses: it takes the schema for something else. */
function readsJsonSchema(compiler: FastifySchemaCompiler<unknown>): boolean {
  try {
    const validate = compiler({ schema: PROBE, method: 'POST', url: '/', httpPart: 'body' }) as (
      body: object
    ) => unknown
    const verdict = validate({ probe: 'text' })
    const pending = pendingOf(verdict)
    pending?.catch(() => undefined)
    if (pending !== null) return true
    return verdict !== false && ((verdict ?? {}) as { error?: unknown }).error == null
  } catch {
    return false
  }
}
