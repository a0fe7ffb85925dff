/**
 * What of a given record or patch may be set: whoever calls from plain JavaScript, with a body of a request
 * perhaps, sets neither counters nor the secret. Pure.
 */
import { BadEvents } from '../errors.ts'
import { isEventPattern } from '../events/event-pattern.ts'
import type { EndpointPatch } from './endpoint.ts'

/** @throws BadEvents (400): one endpoint whose events cannot be read would stop the deliveries of all */
export function endpointChanges({ url, events, enabled, description, metadata }: EndpointPatch): EndpointPatch {
  if (events !== undefined) checkEvents(events)
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata })
  }
}

/** @throws BadEvents (400) */
export function checkEvents(events: readonly string[]): void {
  if (!Array.isArray(events) || events.length === 0 || !events.every(isEventPattern)) throw new BadEvents()
}
