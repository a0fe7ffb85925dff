/**
 * Puts into the finished document what no single route says: the refusals that
 * the firewall, the guard and validation answer, the contributions of other
 * plugins, and names that are unique. Pure: takes a document, answers a new one.
 */
import type { ApiDescription } from 'svc-kernel'
import type { SecurityScheme } from '../options.ts'
import type { Document, Operation } from './document.ts'
import { errorSchema, refusals } from './refusals.ts'
import type { SocketRoute } from './socket-route.ts'

export interface DocumentParts {
  readonly descriptions: readonly ApiDescription[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly socketRoutes: readonly SocketRoute[]
}

export function completeDocument(document: Document, parts: DocumentParts): Document {
  const { descriptions, securitySchemes, socketRoutes } = parts
  const webhooks = Object.assign({}, ...descriptions.map((part) => part.webhooks ?? {}))
  const tags = descriptions.flatMap((part) => part.tags ?? [])
  return {
    ...document,
    paths: completePaths(document.paths ?? {}),
    components: {
      ...document.components,
      schemas: {
        Error: errorSchema,
        ...Object.assign({}, ...descriptions.map((part) => part.schemas ?? {})),
        ...document.components?.schemas
      },
      responses: { ...refusals.responses, ...document.components?.responses },
      securitySchemes: byName({ ...securitySchemes, ...document.components?.securitySchemes })
    },
    ...(tags.length === 0 ? {} : { tags: [...(document.tags ?? []), ...tags] }),
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    ...(socketRoutes.length === 0 ? {} : { 'x-websocket-routes': socketRoutes })
  }
}

/** A name that several methods or paths share gets the method, then a number: OpenAPI wants each once. */
function completePaths(paths: NonNullable<Document['paths']>): NonNullable<Document['paths']> {
  const taken = new Set<string>()
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, completeOperation(method, operation, taken)])
      )
    ])
  )
}

function completeOperation(method: string, operation: Operation, taken: Set<string>): Operation {
  const named =
    operation.operationId === undefined ? {} : { operationId: freeName(operation.operationId, method, taken) }
  return { ...operation, ...named, responses: { ...refusals.of(operation), ...operation.responses } }
}

function freeName(name: string, method: string, taken: Set<string>): string {
  const candidates = [name, `${name}.${method}`]
  let free = candidates.find((candidate) => !taken.has(candidate))
  for (let number = 2; free === undefined; number += 1) {
    if (!taken.has(`${name}.${method}.${number}`)) free = `${name}.${method}.${number}`
  }
  taken.add(free)
  return free
}

function byName<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
