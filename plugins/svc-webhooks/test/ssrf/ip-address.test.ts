/** IPv4 inside IPv6: every reading of it is judged as IPv4, whatever network is opened around it. */
import { strictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { addressPolicy, canonicalAddress, embeddedIpv4 } from '../../src/ssrf/address-policy.ts'

/** One spelling per address, and what is no address at all. */
const rows: readonly [text: string, address: string | null, family?: 4 | 6][] = [
  ['8.8.8.8', '8.8.8.8', 4],
  ['::ffff:8.8.8.8', '8.8.8.8', 4],
  ['::FFFF:808:808', '8.8.8.8', 4],
  ['0:0:0:0:0:ffff:7f00:1', '127.0.0.1', 4],
  ['0000:0000:0000:0000:0000:ffff:7f00:0001', '127.0.0.1', 4],
  ['::ffff:0.0.0.0', '0.0.0.0', 4],
  ['::ffff:0:1', '0.0.0.1', 4],
  ['::ffff:255.255.255.255', '255.255.255.255', 4],
  ['::ffff:0:7f00:1', '::ffff:0:7f00:1', 6],
  ['::127.0.0.1', '::7f00:1', 6],
  ['64:ff9b::7f00:1', '64:ff9b::7f00:1', 6],
  ['1::ffff:7f00:1', '1::ffff:7f00:1', 6],
  ['::', '::', 6],
  ['::1', '::1', 6],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', 6],
  ['fe80::1%eth0', null],
  ['2606:4700::1111%1', null],
  ['::ffff:8.8.8.8%1', null],
  ['', null],
  ['127.1', null],
  ['0x7f.0.0.1', null],
  ['0177.0.0.1', null],
  ['127.0.0.1 ', null],
  ['127.0.0.1\u0000', null],
  ['[::1]', null],
  ['localhost', null]
]

for (const [text, address, family] of rows) {
  t.strictSame(canonicalAddress(text), address === null ? null : { address, family }, JSON.stringify(text))
}

const inside = (text: string) => embeddedIpv4(canonicalAddress(text)!).map(({ address }) => address)

const judged = (allowCidrs: string[], text: string) =>
  addressPolicy({ denyPrivateIps: true, allowCidrs })(canonicalAddress(text)!)

/** How each form writes 169.254.169.254, in a network that an operator might open. */
const METADATA: [form: string, opened: string, address: string][] = [
  ['NAT64', '64:ff9b::/96', '64:ff9b::a9fe:a9fe'],
  ['NAT64, dotted', '64:ff9b::/96', '64:ff9b::169.254.169.254'],
  ['NAT64 of a network, 96 bits', '64:ff9b:1::/48', '64:ff9b:1::a9fe:a9fe'],
  ['NAT64 of a network, 64 bits', '64:ff9b:1::/48', '64:ff9b:1:5:a9:fea9:fe00:0'],
  ['NAT64 of a network, 56 bits', '64:ff9b:1::/48', '64:ff9b:1:a9:fe:a9fe::'],
  ['NAT64 of a network, 48 bits', '64:ff9b:1::/48', '64:ff9b:1:a9fe:a9:fe00::'],
  ['6to4', '2002::/16', '2002:a9fe:a9fe::1'],
  ['Teredo, the client', '2001::/32', '2001:0:808:808::5601:5601'],
  ['Teredo, the server', '2001::/32', '2001:0:a9fe:a9fe::f7f7:f7f7'],
  ['IPv4-compatible', '::/8', '::169.254.169.254'],
  ['IPv4-translated', '::/8', '::ffff:0:a9fe:a9fe'],
  ['ISATAP', 'fd00::/8', 'fd00:1:2:3:0:5efe:a9fe:a9fe'],
  ['ISATAP of a global interface', 'fd00::/8', 'fd00:1:2:3:200:5efe:a9fe:a9fe'],
  ['mapped', '::/0', '::ffff:169.254.169.254']
]

for (const [form, opened, address] of METADATA) {
  t.test(`W4: ${form}`, async (t) => {
    if (form !== 'mapped') t.ok(inside(address).includes('169.254.169.254'), `found in ${inside(address)}`)
    t.equal(judged([opened], address), false, `${opened} does not open ${address}`)
    t.equal(judged(['::/0', '0.0.0.0/0'], address), false, 'nor does everything')
  })
}

t.test('W4: what is carried is open where both the carrier and the carried are', async (t) => {
  const rows: [allowCidrs: string[], address: string, allowed: boolean][] = [
    [['64:ff9b::/96'], '64:ff9b::808:808', true],
    [['64:ff9b::/96'], '64:ff9b::a00:1', false],
    [['64:ff9b::/96', '10.0.0.0/8'], '64:ff9b::a00:1', true],
    [['10.0.0.0/8'], '64:ff9b::a00:1', false],
    [['64:ff9b:1::/48'], '64:ff9b:1::808:808', true],
    [['2002::/16'], '2002:808:808::1', true],
    [['2002::/16'], '2002:7f00:1::1', false],
    [['2001::/32'], '2001:0:808:808::f7f7:f7f7', true],
    [['::1/128'], '::1', true],
    [['fd00::/8'], 'fd00::a9fe:a9fe', true],
    [[], '2606:4700::200:5efe:a9fe:a9fe', false],
    [[], '2606:4700::a9fe:a9fe', true]
  ]
  for (const [allowCidrs, address, allowed] of rows) {
    t.equal(judged(allowCidrs, address), allowed, `${address} with [${allowCidrs}]`)
  }
})

t.test('W4: no carrier lets an internal IPv4 address through, whichever it is', async () => {
  const internal = fc.constantFrom('10.1.2.3', '127.0.0.1', '172.16.0.9', '192.168.7.7', '100.64.1.1', '169.254.1.2')
  const carriers = fc.constantFrom(
    (hex: string) => `64:ff9b::${hex}`,
    (hex: string) => `64:ff9b:1::${hex}`,
    (hex: string) => `2002:${hex}::1`,
    (hex: string) => `2001:0:${hex}::f7f7:f7f7`,
    (hex: string) => `::ffff:0:${hex}`,
    (hex: string) => `::${hex}`,
    (hex: string) => `2606:4700::5efe:${hex}`
  )
  fc.assert(
    fc.property(internal, carriers, (quad, carrier) => {
      const bytes = quad.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'))
      const hex = `${bytes[0]}${bytes[1]}:${bytes[2]}${bytes[3]}`
      strictEqual(judged(['::/0'], carrier(hex)), false)
    })
  )
})
