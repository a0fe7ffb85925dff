/** Text that would run, or lead away, wherever it is written as anything but text. */
import type { AuditRecord } from 'svc-kernel'

export const HOSTILE: readonly string[] = [
  '<script>canary = 1</script>',
  `"><img src=x onerror="canary = 1">`,
  `'><svg onload=canary=1>`,
  '</title></textarea></style></noscript><script>canary=1</script>',
  'javascript:canary=1//canary',
  '<iframe srcdoc="<script>parent.canary=1</script>">',
  '\x24{canary=1}{{canary=1}}<%= canary=1 %>',
  '<a href="javascript:canary=1">canary</a>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=canary=1>',
  '__proto__ canary',
  '\u202ecanary\u0000\u001b]0;canary\u0007'
]

/** An event for each, with it in every field that a caller has a say in. */
export function hostileRecords(): AuditRecord[] {
  return HOSTILE.map((text) => ({
    category: 'authz',
    action: 'access.denied',
    outcome: 'denied',
    actor: text,
    resource: text,
    reason: text,
    ip: text,
    userAgent: text,
    requestId: text,
    metadata: { [text]: text, nested: { list: [text] }, word: 'metadata-canary' }
  }))
}
