/** Says of a route that it answers with a file, for the description of the API. */
import type { RouteError } from 'svc-kernel/plugin'
import { ConditionFailed, FileNotFound, RangeNotSatisfiable, StorageUnavailable } from '../errors.ts'

/** What a route that sends files says of them. */
export interface DownloadRules {
  /** Types of its files, for the description. Default: `application/octet-stream`. */
  readonly types?: readonly string[]
}

/** Options of a route that answers with a file. */
export interface DownloadRoute {
  readonly schema: {
    readonly response: Readonly<Record<number, object>>
    readonly errors: readonly RouteError[]
  }
}

const ERRORS: readonly RouteError[] = [
  FileNotFound,
  ConditionFailed,
  RangeNotSatisfiable,
  { code: new StorageUnavailable().code, statusCode: 503 }
]

/**
 * Options for a route that answers with `reply.file(id)`: `@Get('/files/:id', download())`, or
 * `fastify.get('/files/:id', download(), handler)`.
 */
export function download({ types = ['application/octet-stream'] }: DownloadRules = {}): DownloadRoute {
  const binary = { schema: { type: 'string', format: 'binary' } }
  const content = Object.fromEntries(types.map((type) => [type, binary]))
  return {
    schema: {
      response: {
        200: { description: 'The file.', content },
        206: { description: 'The part of it that `Range` asks for.', content },
        304: { description: 'The client has it already.', type: 'null' }
      },
      errors: ERRORS
    }
  }
}

/** JSON Schema of a `StoredFile`, for answers of routes. */
export const fileSchema = {
  type: 'object',
  required: ['id', 'name', 'type', 'bytes', 'sha256', 'owner', 'createdAt'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    type: { type: 'string' },
    bytes: { type: 'integer' },
    sha256: { type: 'string' },
    owner: { type: ['string', 'null'] },
    createdAt: { type: 'integer', description: 'Milliseconds since 1970.' }
  }
} as const
