/**
 * The id of a failed call to an API of svc, for who has proven who they are: the `reqId` of the log, under which the
 * request is recorded as well. Where it is, `link` leads to it. Visitors learn nothing: ids may count requests.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS } from 'svc-kernel'
import { routeConfigReader } from 'svc-kernel/plugin'
import { OPS_API } from '../system/ops-api.ts'

/** Callers may choose ids, where the server takes a header for them. */
const PRINTABLE = /^[\w.:@/+=-]{1,256}$/

/** @param isRecorded asked when a call has failed */
export function tellRequestIds(fastify: FastifyInstance, isRecorded: (request: FastifyRequest) => boolean): void {
  const configOf = routeConfigReader()
  fastify.addHook('onError', (request, reply, _error, done) => {
    if (configOf(request).svc?.name?.startsWith('svc.') === true && isKnown(request)) tell(request, reply, isRecorded)
    done()
  })
}

function isKnown({ user, token }: FastifyRequest): boolean {
  return user != null && user !== ANONYMOUS && token !== null && token.type !== 'anonymous'
}

function tell(request: FastifyRequest, reply: FastifyReply, isRecorded: (request: FastifyRequest) => boolean): void {
  const { id } = request
  if (!PRINTABLE.test(id)) return
  if (!reply.hasHeader('x-request-id')) reply.header('x-request-id', id)
  if (!isRecorded(request) || reply.hasHeader('link')) return
  reply.header('link', `<${OPS_API}/requests/${encodeURIComponent(id)}>; rel="describedby"`)
}
