/**
 * The true cause of a refusal, carried beside its uniform text: the audit reads
 * `reason`, an answer never does.
 */
export function refusedFor<Refused extends Error>(
  error: Refused,
  reason: string
): Refused & { readonly reason: string } {
  return Object.assign(error, { reason })
}
