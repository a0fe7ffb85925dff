/** What the settings open, and what they never do. */
import t from 'tap'
import { addressPolicy } from '../../src/ssrf/address-policy.ts'
import { canonicalAddress } from '../../src/ssrf/canonical-address.ts'

const open = (denyPrivateIps: boolean, ...allowCidrs: string[]) => {
  const allows = addressPolicy({ denyPrivateIps, allowCidrs })
  return (text: string) => {
    const address = canonicalAddress(text)
    return address !== null && allows(address)
  }
}

const rows: readonly [allowCidrs: string[], address: string, allowed: boolean][] = [
  [[], '8.8.8.8', true],
  [[], '2606:4700:4700::1111', true],
  [[], '10.0.0.1', false],
  [['10.20.0.0/16'], '10.20.255.255', true],
  [['10.20.0.0/16'], '::ffff:10.20.0.1', true],
  [['10.20.0.0/16'], '10.21.0.0', false],
  [['10.20.0.0/16'], '8.8.8.8', true],
  [['100.64.0.0/10'], '100.64.0.1', true],
  [['100.64.0.0/10'], '100.100.100.200', false],
  [['127.0.0.1/32'], '127.0.0.1', true],
  [['127.0.0.1/32'], '127.0.0.2', false],
  [['169.254.0.0/16'], '169.254.169.254', false],
  [['169.254.169.254/32'], '169.254.169.254', false],
  [['169.254.169.254/32'], '::ffff:a9fe:a9fe', false],
  [['0.0.0.0/0'], '169.254.169.254', false],
  [['0.0.0.0/0'], '192.168.1.1', true],
  [['0.0.0.0/0'], 'fd00::1', false],
  [['192.0.0.0/24'], '192.0.0.192', false],
  [['::/0'], 'fd00::1', true],
  [['::/0'], 'fe80::1', false],
  [['::/0'], 'fd00:ec2::254', false],
  [['::/0'], 'fd20:ce::254', false],
  [['::/0'], '10.0.0.1', false],
  [['fd12:3456::/32', '10.0.0.0/8'], 'fd12:3456::1', true]
]

for (const [cidrs, address, allowed] of rows) {
  t.equal(open(true, ...cidrs)(address), allowed, `${address} with [${cidrs}]`)
}

t.test('without the check everything that is an address passes', async (t) => {
  for (const address of ['127.0.0.1', '169.254.169.254', '::1', '8.8.8.8']) t.ok(open(false)(address))
})

t.test('a network that cannot be read is refused, with or without the check', async (t) => {
  for (const deny of [true, false]) t.throws(() => open(deny, '10.0.0.0'), { code: 'SVC_WEBHOOKS_BAD_CIDR' })
})
