/** The events of an application, for the types of `emit`. */

/**
 * Empty: an application adds its events by declaration merging, and `emit` takes no others then.
 *
 * `declare module 'svc-events' { interface ApplicationEvents extends EventsOf<typeof events> {} }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add to it
export interface ApplicationEvents {}
