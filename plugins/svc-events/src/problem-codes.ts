/** The codes of svc-events that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** boot: a declared event has no valid name, schema or version. Fix: correct it in `defineEvents`. */
  SVC_EVENTS_DEFINITION: true
  /** boot: a job that listens to an event is not defined, or svc-jobs is not registered. Fix: define it, or register svc-jobs. */
  SVC_EVENTS_LISTENER_JOB: true
  /** boot: the option `store` names a driver that is not registered. Fix: register it before svc-events, or set `store: 'auto'`. */
  SVC_EVENTS_NO_STORE: true
  /**
   * boot: `path` does not name the organisation, and `parts.organizations.of` does not find it. Fix: have
   * `:organization` in `path`, pass `of`, or set `routes: false`.
   */
  SVC_EVENTS_NO_ORGANIZATION: true
  /** boot: svc-events is registered before svc-security: its routes would have no CSRF protection. Fix: register it after. */
  SVC_EVENTS_EARLY: true
  /** boot: the portal is on, and svc-security is not registered before svc-events. Fix: register it before, or remove `portal`. */
  SVC_EVENTS_PORTAL_CLOSED: true
  /** boot: `portal.keys` is set, and svc-organizations has no keys. Fix: give svc-organizations the section `keys`, or remove `portal.keys`. */
  SVC_EVENTS_PORTAL_KEYS: true
  /** log: a stored event could not be handed on. Fix: read the cause in the line; it is tried again until it succeeds. */
  SVC_EVENTS_RELAY: true
  /** log: the database of events does not answer. Fix: check the database. */
  SVC_EVENTS_STORE: true
}
