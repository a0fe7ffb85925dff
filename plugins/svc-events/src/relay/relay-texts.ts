/** How the queues of events speak. */
import type { QueueTexts } from 'svc-queue'
import { EventsUnavailable } from '../errors.ts'

const AWAY = 'the database of events cannot be reached at the moment'

export const RELAY_TEXTS: QueueTexts = {
  code: 'SVC_EVENTS_STORE',
  failed: {
    admit: 'events could not be stored',
    claim: 'stored events could not be read',
    heartbeat: 'the database of events could not be reached',
    settle: 'it could not be stored that events were handed on',
    reschedule: 'stored events keep their schedule',
    discard: 'the events of an organisation could not be removed',
    counts: 'stored events could not be counted',
    pending: 'stored events could not be read',
    leave: 'stored events could not be returned to their outbox'
  },
  left: (jobs) => `${jobs} stored events wait to be handed on`,
  timeout: (ms) => new EventsUnavailable(`the database of events did not answer within ${ms} ms`),
  unavailable: () => new EventsUnavailable(AWAY)
}
