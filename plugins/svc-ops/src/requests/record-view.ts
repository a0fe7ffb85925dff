/** A record as it is answered: times in milliseconds from the first byte, lists that are there in any case. Pure. */
import { NEVER, type RequestRecord } from './request-record.ts'

/** As it is listed: what is needed to find it. */
export function summaryOf(record: RequestRecord) {
  const { seq, id, method, route, url, handler, status, error, user, tokenType, zone, authenticator } = record
  const { statements, events, deliveries, messages } = record
  return {
    seq,
    id,
    at: startOf(record),
    durationMs: record.durationUs / 1000,
    method,
    route,
    url,
    handler,
    status,
    error,
    user,
    tokenType,
    zone,
    authenticator,
    statements: countedUntilAnswer(statements),
    events: countedUntilAnswer(events),
    deliveries: deliveries?.length ?? 0,
    messages: messages?.reduce((sum, { count }) => sum + count, 0) ?? 0
  }
}

/** What came afterwards held up nobody. Deliveries and messages are told as they are: they always come late. */
function countedUntilAnswer(list: readonly { readonly afterwards: boolean }[] | null): number {
  return list === null ? 0 : list.filter(({ afterwards }) => !afterwards).length
}

export function wholeOf(record: RequestRecord) {
  const { zone, authenticator, admission, admissionReason, tokenType, startUs } = record
  const since = (us: number) => (us === NEVER ? null : Math.max(us - startUs, 0) / 1000)
  const moment = (us: number) => since(us) ?? 0
  return {
    ...summaryOf(record),
    failure: record.failure,
    ip: record.ip,
    headers: record.headers ?? {},
    phases: {
      admitted: since(record.admittedUs),
      guarded: since(record.guardedUs),
      parsed: since(record.parsedUs),
      validated: since(record.validatedUs),
      handled: since(record.handledUs)
    },
    admission:
      admission === null
        ? null
        : {
            zone,
            authenticator,
            outcome: admission,
            tokenType: admission === 'accepted' ? tokenType : null,
            reason: admissionReason,
            at: moment(record.admissionEndedUs),
            durationMs: record.admissionMs
          },
    decisions: (record.decisions ?? []).map(({ endedUs, votes, ...decision }) => {
      const at = moment(endedUs)
      const began = at - decision.durationMs
      return {
        ...decision,
        at,
        votes: votes.map(({ atMs, ...vote }) => ({ ...vote, at: began + atMs + vote.durationMs }))
      }
    }),
    calls: (record.calls ?? []).map(({ endedUs, ...call }) => ({ ...call, at: moment(endedUs) })),
    statements: (record.statements ?? []).map(({ endedUs, ...statement }) => ({ ...statement, at: since(endedUs) })),
    events: record.events ?? [],
    deliveries: record.deliveries ?? [],
    messages: record.messages ?? [],
    omitted: record.omitted
  }
}

/** Epoch ms of the first byte. */
export function startOf({ begunAt, startUs }: RequestRecord): number {
  return Math.round(performance.timeOrigin + begunAt + startUs / 1000)
}
