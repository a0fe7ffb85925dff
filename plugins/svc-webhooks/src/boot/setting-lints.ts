/** Settings that do what they say and that production hardly wants. Pure. */
import type { Problem } from 'svc-kernel'
import type { WebhooksConfig } from '../options.ts'

const MORE = 'docs/guides/webhooks.md'

/** @returns warnings, for an application in production */
export function settingLints({ denyPrivateIps, allowHttp }: WebhooksConfig): Problem[] {
  const problems: Problem[] = []
  if (!denyPrivateIps) {
    problems.push({
      code: 'SVC_WEBHOOKS_OPEN_NETWORK',
      message: 'webhooks may reach internal addresses, the metadata of a cloud among them',
      at: 'svc-webhooks.denyPrivateIps',
      got: 'false',
      expected: 'true in production',
      fix: 'remove it, and name the networks that are meant in allowCidrs',
      more: MORE
    })
  }
  if (allowHttp) {
    problems.push({
      code: 'SVC_WEBHOOKS_PLAIN_HTTP',
      message: 'webhooks may be sent over plain HTTP, where others can read them',
      at: 'svc-webhooks.allowHttp',
      got: 'true',
      expected: 'false in production',
      fix: 'remove it, and register https URLs',
      more: MORE
    })
  }
  return problems
}
