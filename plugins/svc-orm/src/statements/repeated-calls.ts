/**
 * In development: a request that makes the same call for each of its rows (N+1) is named, once per route and call, with the
 * place in the application and the call that does it for all rows. A call that reads or writes many rows counts once.
 */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { currentRequest, type RepositoryCall, requestChannels } from 'svc-kernel'

export interface RepeatedCallsParts {
  readonly log: FastifyBaseLogger
  /** Whether a request is one of this application: channels are of the process. */
  readonly isOwn: (request: FastifyRequest) => boolean
  /** Folder of the application. */
  readonly root: string
}

/** So many calls of one shape are no accident. */
const MOST = 10

/** They read one page after the other, as they are meant to. */
const WALKS: ReadonlySet<string> = new Set(['page', 'stream'])

/** Calls that are told apart in a request, and lines that are remembered. */
const MOST_KEPT = 1000

const FIXES: Readonly<Record<string, string>> = {
  create: 'createMany(rows) creates all of them',
  upsert: 'find those that exist with { $in: [...] }, then createMany(rows) creates the others',
  updateOne: 'updateMany({ id: { $in: ids } }, changes) changes all of them',
  increment: 'updateMany({ id: { $in: ids } }, changes) changes all of them',
  deleteOne: 'delete({ id: { $in: ids } }) deletes all of them',
  findOneAndDelete: 'delete({ id: { $in: ids } }) deletes all of them'
}
const FIX_OF_READS = 'load relations with include: { name: true }, or read all rows with { field: { $in: values } }'

/** @returns ends it */
export function warnOfRepeatedCalls({ log, isOwn, root }: RepeatedCallsParts): () => void {
  const counts = new WeakMap<FastifyRequest, Map<string, number>>()
  const told = new Set<string>()
  const called = ({ connector, entity, operation, plan }: RepositoryCall): void => {
    const request = currentRequest()
    // The one request of a WebSocket lasts as long as the socket.
    if (request === undefined || WALKS.has(operation) || request.headers.upgrade !== undefined) return
    if (!isOwn(request)) return
    const calls = counts.get(request) ?? new Map<string, number>()
    counts.set(request, calls)
    const key = `${connector} ${plan}`
    const count = (calls.get(key) ?? 0) + 1
    if (count > 1 || calls.size < MOST_KEPT) calls.set(key, count)
    if (count !== MOST + 1) return
    const route = `${request.method} ${request.routeOptions.url ?? ''}`
    if (told.has(`${route} ${key}`) || told.size === MOST_KEPT) return
    told.add(`${route} ${key}`)
    const at = callerOutside(root)
    const fields = { code: 'SVC_ORM_CALL_PER_ROW', route, connector, entity, operation, call: plan, ...(at && { at }) }
    const fix = FIXES[operation] ?? FIX_OF_READS
    log.warn(fields, `${route} makes one call more than ${MOST} times in a request: ${plan}; ${fix}`)
  }
  return requestChannels.repository.subscribe({ start: called })
}

/** The code of this package, and its source, which stacks have where source maps are on. */
const BUILT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = BUILT.replace(/\/dist\/src\/$/, '/src/')

const DEEPEST = 50

/** `controllers/orders.ts:41`: the first place on the stack that is the application's own. */
function callerOutside(root: string): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = DEEPEST
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = stackTraceLimit
  for (const line of stack.split('\n').slice(1)) {
    const [, place, row] = /\(?((?:file:\/\/)?\/[^()]*?):(\d+):\d+\)?$/.exec(line) ?? []
    if (place === undefined || row === undefined) continue
    const path = place.startsWith('file://') ? fileURLToPath(place) : place
    if (path.startsWith(BUILT) || path.startsWith(SOURCE) || path.includes('/node_modules/') || !path.startsWith(root))
      continue
    return `${relative(root, path)}:${row}`
  }
  return undefined
}
