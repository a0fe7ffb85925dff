/** Every error that svc-events raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** thrown: `emit` names an event that is not declared. Fix: declare it in `defineEvents`, or correct the name. */
export const UnknownEvent = createError<[type: string, known: string]>(
  'SVC_EVENTS_UNKNOWN',
  'no event is declared as "%s"; %s',
  500,
  TypeError
)

/**
 * thrown: the data of an event does not fit its schema, is not JSON, or is too large. Fix: correct what the message names.
 * Nothing is stored.
 */
export const InvalidEventData = createError<[type: string, findings: string]>(
  'SVC_EVENTS_DATA',
  'the data of the event "%s" does not fit: %s',
  500,
  TypeError
)

/**
 * 404, thrown: an event is emitted for, or a request names, an organisation that is not an identifier or does not exist.
 * Fix: pass 1 to 200 letters, digits and . _ : ~ -, of an organisation that exists.
 */
export const UnknownOrganization = expectedError(
  'SVC_EVENTS_ORGANIZATION',
  'there is no organisation with this identifier',
  404
)

/** 403: the organisation is suspended: its endpoints and events are closed. Fix: end the suspension. */
export const OrganizationSuspended = expectedError('SVC_EVENTS_SUSPENDED', 'the organisation is suspended', 403)

/** 404: the organisation has no event with this id; the journal keeps events for `keepS`. Fix: list the events again. */
export const EventNotFound = expectedError('SVC_EVENTS_NOT_FOUND', 'the organisation has no event with this id', 404)

/** 409: the organisation has as many endpoints as it may have. Fix: delete one, or raise `maxEndpoints`. */
export const TooManyEndpoints = expectedError<[most: string]>(
  'SVC_EVENTS_ENDPOINTS',
  'an organisation has at most %s endpoints',
  409
)

/** thrown: `on` is called for an event that is not declared, or after the start. Fix: as the message says. */
export const InvalidListener = createError<[type: string, finding: string]>(
  'SVC_EVENTS_LISTENER',
  'a job cannot listen to "%s": %s',
  500,
  TypeError
)

/** 503: the database of events does not answer. Fix: check the database. */
export const EventsUnavailable = expectedError<[text: string]>('SVC_EVENTS_UNAVAILABLE', '%s', 503)

/** thrown: a call of the portal cannot be what was asked for. Fix: as the message says. */
export const InvalidPortalOption = createError<[finding: string]>(
  'SVC_EVENTS_PORTAL_OPTION',
  'the portal cannot be opened: %s',
  500,
  TypeError
)

/** thrown: the files of the portal are missing from the package. Fix: `npm run build` in a checkout; otherwise reinstall svc-events. */
export const PortalNotBuilt = createError<[folder: string]>(
  'SVC_EVENTS_PORTAL_NOT_BUILT',
  'the files of the portal are not in %s',
  500,
  TypeError
)

/** 400: the link of the portal is unknown, was opened before, or is over. Fix: ask the application for a new one. */
export const InvalidPortalLink = expectedError(
  'SVC_EVENTS_PORTAL_LINK',
  'the link is unknown, was opened before, or is over',
  400
)
