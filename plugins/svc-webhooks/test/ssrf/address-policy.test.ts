/** What the settings open, and what they never do. */
import t from 'tap'
import { AddressRanges, addressPolicy, canonicalAddress } from '../../src/ssrf/address-policy.ts'
import { INTERNAL_IPV4, INTERNAL_IPV6 } from '../../src/ssrf/internal-ranges.ts'

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

/** Networks as an operator writes them: read exactly or refused, and each at its borders. */
function has(ranges: AddressRanges, text: string): boolean {
  const address = canonicalAddress(text)
  if (address === null) throw new TypeError(`${text} is no address`)
  return ranges.has(address)
}

t.test('as many ranges as the specification lists', async (t) => {
  t.equal(new Set(INTERNAL_IPV4).size, 15)
  t.equal(new Set(INTERNAL_IPV6).size, 9)
})

const borders: readonly [cidr: string, below: string | null, first: string, last: string, above: string | null][] = [
  ['0.0.0.0/8', null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0/8', '9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['172.16.0.0/12', '172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['224.0.0.0/4', '223.255.255.255', '224.0.0.0', '239.255.255.255', '240.0.0.0'],
  ['192.0.2.7/32', '192.0.2.6', '192.0.2.7', '192.0.2.7', '192.0.2.8'],
  ['0.0.0.0/0', null, '0.0.0.0', '255.255.255.255', '::8'],
  ['::/8', '8.8.8.8', '::', 'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '100::'],
  ['fc00::/7', 'fbff::', 'fc00::', 'fdff:ffff::', 'fe00::'],
  ['2001:db8::/32', '2001:db7:ffff::', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  ['2001:db8::1/128', '2001:db8::', '2001:db8::1', '2001:db8::1', '2001:db8::2'],
  ['64:ff9b::10.0.0.0/104', '64:ff9b::9.255.255.255', '64:ff9b::a00:0', '64:ff9b::10.255.255.255', '64:ff9b::b00:0']
]

for (const [cidr, below, first, last, above] of borders) {
  t.test(cidr, async (t) => {
    const ranges = new AddressRanges([cidr])
    t.ok(has(ranges, first), `${first} is the first`)
    t.ok(has(ranges, last), `${last} is the last`)
    if (below !== null) t.notOk(has(ranges, below), `${below} is below`)
    if (above !== null) t.notOk(has(ranges, above), `${above} is above`)
  })
}

const refused = [
  '',
  '10.0.0.0',
  '10.0.0.0/',
  '/8',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '10.0.0.0/08x',
  ' 10.0.0.0/8',
  '10.0.0.1/8',
  '10.1/16',
  '0x0a.0.0.0/8',
  '010.0.0.0/8',
  'fd00::/129',
  'fd00::1/8',
  'fe80::%eth0/10',
  '::ffff:10.0.0.0/104',
  '::ffff:a00:0/104',
  'localhost/8'
]

for (const cidr of refused) {
  t.throws(() => new AddressRanges([cidr]), { code: 'SVC_WEBHOOKS_BAD_CIDR' }, `refused: "${cidr}"`)
}

t.test('one bad entry among good ones is refused', async (t) => {
  t.throws(() => new AddressRanges(['10.0.0.0/8', '10.0.0.1/8']), { message: /"10\.0\.0\.1\/8"/ })
})
