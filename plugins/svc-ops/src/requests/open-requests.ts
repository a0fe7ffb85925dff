/** Switches the list of requests on: hooks and channels feed it, routes show it, who listens on `svc:requests` hears of each. */
import type { FastifyInstance } from 'fastify'
import { appHost, decoratorOf, inProduction } from 'svc-kernel'
import { DELIVERY_STATES, onDeliveries } from '../metrics/delivery-channels.ts'
import type { RequestsConfig } from '../options.ts'
import { summaryOf } from './record-view.ts'
import { tellRequestIds } from './request-id.hook.ts'
import { RequestLog } from './request-log.ts'
import type { RequestRecord } from './request-record.ts'
import { RequestRecorder, recorderSlot, recordSlot } from './request-recorder.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** Of svc-realtime: locked for all but ROLE_SVC_ADMIN, as every channel that starts with `svc:`. */
export const REQUESTS_CHANNEL = 'svc:requests'

/** What is read of `fastify.realtime`, where svc-realtime is registered. */
interface RealtimeView {
  isHeardHere(channel: string): boolean
  /** To sockets of this instance. @param data JSON text */
  receive(channel: string, data: string): void
}

export interface OpenedRequests {
  /** `null` where requests are not recorded. */
  readonly log: RequestLog | null
  /** Ends what was begun. */
  readonly end: () => void
}

export function openRequests(fastify: FastifyInstance, config: RequestsConfig): OpenedRequests {
  const { enabled = !inProduction(fastify), capacity, sample } = config
  if (!enabled) {
    tellRequestIds(fastify, () => false)
    return { log: null, end: () => undefined }
  }
  let realtime: RealtimeView | null = null
  const log: RequestLog = new RequestLog({ capacity, maxBytes: MAX_BYTES }, (record) => recorder.forget(record))
  const onRecorded = (record: RequestRecord): void => {
    if (realtime?.isHeardHere(REQUESTS_CHANNEL)) realtime.receive(REQUESTS_CHANNEL, JSON.stringify(summaryOf(record)))
  }
  const root = fastify.hasDecorator('appHost') ? appHost(fastify).root : null
  const recorder = new RequestRecorder({ log, sample, random: Math.random, root, onRecorded })
  recordRequests(fastify, recorder)
  tellRequestIds(fastify, (request) => recorder.records(request))
  const ends = [
    recorder.listen(),
    onDeliveries(fastify.server, DELIVERY_STATES, (state, event) => recorder.delivered(state, event))
  ]
  fastify.addHook('onReady', async () => {
    realtime = decoratorOf(fastify as unknown as { realtime: RealtimeView }, 'realtime')
  })
  return {
    log,
    end: () => {
      for (const end of ends) end()
    }
  }
}

/** Instance hooks run before those of a route: its guard decides between the first two. */
function recordRequests(fastify: FastifyInstance, recorder: RequestRecorder): void {
  fastify.decorate(recorderSlot, recorder)
  fastify.decorateRequest(recordSlot, null)
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    recorder.mark(request, 'admittedUs')
    done(null, payload)
  })
  fastify.addHook('preValidation', (request, _reply, done) => {
    recorder.mark(request, 'parsedUs')
    done()
  })
  fastify.addHook('preHandler', (request, _reply, done) => {
    recorder.mark(request, 'validatedUs')
    done()
  })
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    recorder.mark(request, 'handledUs')
    done(null, payload)
  })
  fastify.addHook('onError', (request, _reply, error, done) => {
    recorder.failed(request, error)
    done()
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    recorder.ended(request, reply)
    done()
  })
}
