/**
 * Puts into the finished document what no single route says: the refusals that
 * the firewall, the guard and validation answer, the contributions of other
 * plugins, and names that are unique. Pure: takes a document, answers a new one.
 */
import type { ApiDescription } from 'svc-kernel'
import type { SecurityScheme } from '../options.ts'
import type { Document, Operation, WholeDocument } from './document.ts'
import { freeName, type Sections } from './references.ts'
import { errorSchema, refusals } from './refusals.ts'
import type { SocketRoute } from './socket-route.ts'

export interface DocumentParts {
  readonly descriptions: readonly ApiDescription[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly socketRoutes: readonly SocketRoute[]
}

export function completeDocument(document: Document, parts: DocumentParts): WholeDocument {
  const { descriptions, securitySchemes, socketRoutes } = parts
  const webhooks = Object.assign({}, ...descriptions.map((part) => part.webhooks ?? {}))
  const components = mergeSections([
    { schemas: { Error: errorSchema }, responses: refusals.responses },
    ...descriptions.map((part) => part.components ?? {}),
    document.components ?? {}
  ])
  const tags = descriptions.flatMap((part) => part.tags ?? [])
  const channels = descriptions.flatMap((part) => part.channels ?? [])
  return {
    ...document,
    paths: completePaths(document.paths ?? {}),
    components: {
      ...components,
      securitySchemes: byName({ ...securitySchemes, ...components.securitySchemes })
    },
    ...(tags.length === 0 ? {} : { tags: [...(document.tags ?? []), ...tags] }),
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    ...(socketRoutes.length === 0 ? {} : { 'x-websocket-routes': socketRoutes }),
    ...(channels.length === 0 ? {} : { 'x-channels': channels })
  }
}

/** Section by section; what comes later wins. */
function mergeSections(parts: readonly Sections[]): Record<string, Record<string, object>> {
  const merged: Record<string, Record<string, object>> = {}
  for (const [section, entries] of parts.flatMap(Object.entries<Sections[string]>)) {
    merged[section] = { ...merged[section], ...entries }
  }
  return merged
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
  const { 'x-errors': _, ...said } = operation
  return { ...said, ...named, responses: { ...refusals.of(method, operation), ...operation.responses } }
}

function byName<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
