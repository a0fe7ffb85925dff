/** Checks `allowCidrs` while the application boots, each entry by itself, so that a problem can name its place. Pure. */
import type { Problem } from 'svc-kernel'
import { addressPolicy } from '../ssrf/address-policy.ts'

/** @returns a problem per entry that is not a network */
export function networkProblems(allowCidrs: readonly string[]): Problem[] {
  return allowCidrs.flatMap((cidr, index) => {
    try {
      addressPolicy({ denyPrivateIps: true, allowCidrs: [cidr] })
      return []
    } catch {
      return [problemOf(cidr, index)]
    }
  })
}

function problemOf(cidr: string, index: number): Problem {
  return {
    code: 'SVC_WEBHOOKS_BAD_CIDR',
    message: 'a network that webhooks may reach is not one',
    at: `svc-webhooks.allowCidrs[${index}]`,
    got: JSON.stringify(cidr),
    expected: 'a network such as 10.20.0.0/16 or fd00::/8, written with its first address',
    more: 'docs/guides/webhooks.md'
  }
}
