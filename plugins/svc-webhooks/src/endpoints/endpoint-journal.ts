/** What administrators do to endpoints, as the audit journal gets it: who, from where, and nothing that is secret. */
import { type AuditRecord, currentRequest, currentUser } from 'svc-kernel'
import type { WebhookRecord } from './endpoint.ts'

/** What an administrator did to an endpoint: who, from where. @param more `metadata` and `reason` of the record */
export function journal(
  { record }: { readonly record: (record: AuditRecord) => void },
  deed: 'created' | 'updated' | 'deleted' | 'rotated' | 'revealed' | 'test',
  id: string,
  more: Pick<AuditRecord, 'metadata' | 'reason'> = {}
): void {
  const request = currentRequest()
  const userAgent = request?.headers['user-agent'] ?? null
  const from = request === undefined ? {} : { ip: request.ip, userAgent, requestId: request.id }
  const actor = actorOf()
  record({ category: 'webhook', action: `webhook.${deed}`, outcome: 'success', actor, resource: id, ...from, ...more })
}

/** Who acts; `null` outside a request. */
export function actorOf(): string | null {
  return currentRequest() === undefined ? null : currentUser().identifier
}

export function originOf({ url }: Pick<WebhookRecord, 'url'>): string {
  return new URL(url).origin
}
