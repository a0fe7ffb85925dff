/**
 * The verdict on random addresses in random notations, against a second implementation that knows nothing but numbers:
 * the bits of the address and the bits of the ranges.
 */
import fc from 'fast-check'
import t from 'tap'
import { assertUrlAllowed } from '../../src/ssrf/url-guard.ts'

interface Range {
  readonly first: bigint
  readonly bits: number
}

const IPV4: readonly Range[] = [
  { first: 0x00_00_00_00n, bits: 8 },
  { first: 0x0a_00_00_00n, bits: 8 },
  { first: 0x64_40_00_00n, bits: 10 },
  { first: 0x7f_00_00_00n, bits: 8 },
  { first: 0xa9_fe_00_00n, bits: 16 },
  { first: 0xac_10_00_00n, bits: 12 },
  { first: 0xc0_00_00_00n, bits: 24 },
  { first: 0xc0_00_02_00n, bits: 24 },
  { first: 0xc0_58_63_00n, bits: 24 },
  { first: 0xc0_a8_00_00n, bits: 16 },
  { first: 0xc6_12_00_00n, bits: 15 },
  { first: 0xc6_33_64_00n, bits: 24 },
  { first: 0xcb_00_71_00n, bits: 24 },
  { first: 0xe0_00_00_00n, bits: 4 },
  { first: 0xf0_00_00_00n, bits: 4 }
]

const IPV6: readonly Range[] = [
  { first: 0n, bits: 8 },
  { first: 0x0100n << 112n, bits: 8 },
  { first: 0x2001n << 112n, bits: 23 },
  { first: 0x2001_0db8n << 96n, bits: 32 },
  { first: 0x2002n << 112n, bits: 16 },
  { first: 0x3fffn << 112n, bits: 20 },
  { first: 0x5f00n << 112n, bits: 16 },
  { first: 0xfc00n << 112n, bits: 7 },
  { first: 0xfe00n << 112n, bits: 7 }
]

const isIn = (value: bigint, width: number, ranges: readonly Range[]) =>
  ranges.some(({ first, bits }) => value >> BigInt(width - bits) === first >> BigInt(width - bits))

const isPublic4 = (value: bigint) => !isIn(value, 32, IPV4)
const isPublic6 = (value: bigint) =>
  value >> 32n === 0xffffn ? isPublic4(value & 0xffff_ffffn) : !isIn(value, 128, IPV6)

/** Random values, and those around the borders of the ranges. */
function values(width: number, ranges: readonly Range[]): fc.Arbitrary<bigint> {
  const most = (1n << BigInt(width)) - 1n
  const borders = ranges.flatMap(({ first, bits }) => {
    const last = first + (1n << BigInt(width - bits)) - 1n
    return [first - 1n, first, last, last + 1n]
  })
  const inside = fc
    .tuple(fc.constantFrom(...ranges), fc.bigInt({ min: 0n, max: most }))
    .map(([{ first, bits }, noise]) => first + (noise & ((1n << BigInt(width - bits)) - 1n)))
  return fc.oneof(
    fc.bigInt({ min: 0n, max: most }),
    inside,
    fc.constantFrom(...borders.filter((value) => value >= 0n && value <= most))
  )
}

/** One part of an IPv4 host: decimal, hex in either case, octal, with zeros in front of the latter two. */
const numeral = (value: bigint) =>
  fc.constantFrom(
    `${value}`,
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0x000${value.toString(16)}`,
    `0${value.toString(8)}`,
    `000${value.toString(8)}`
  )

/** All notations of a host that mean this value: one to four parts, of which the last takes the rest. */
const host4 = (value: bigint) =>
  fc.integer({ min: 1, max: 4 }).chain((count) => {
    const leading = Array.from({ length: count - 1 }, (_, index) => (value >> BigInt(24 - 8 * index)) & 0xffn)
    const rest = value & ((1n << BigInt(32 - 8 * (count - 1))) - 1n)
    return fc
      .tuple(...[...leading, rest].map(numeral), fc.constantFrom('', '.'))
      .map((parts) => parts.slice(0, -1).join('.') + (parts.at(-1) ?? ''))
  })

const dotted = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')

/** Groups in full or short, in either case, zeros folded in front, the end as hex or as a dotted quad. */
const text6 = (value: bigint) =>
  fc.record({ upper: fc.boolean(), padded: fc.boolean(), fold: fc.boolean(), quad: fc.boolean() }).map((form) => {
    const groups = Array.from(
      { length: form.quad ? 6 : 8 },
      (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn
    )
    const zeros = form.fold ? groups.findIndex((group) => group !== 0n) : 0
    const folded = zeros === -1 ? groups.length : zeros
    const written = groups.slice(folded).map((group) => group.toString(16).padStart(form.padded ? 4 : 1, '0'))
    const parts = form.quad ? [...written, dotted(value & 0xffff_ffffn)] : written
    const text = (folded > 0 ? '::' : '') + parts.join(':')
    return form.upper ? text.toUpperCase() : text
  })

const mapped = values(32, IPV4).map((value) => (0xffffn << 32n) | value)
const all6 = fc.oneof({ weight: 3, arbitrary: values(128, IPV6) }, { weight: 1, arbitrary: mapped })

async function passes(url: string, answer = 'none'): Promise<boolean> {
  const lookup = async () => [{ address: answer, family: 4 }]
  return assertUrlAllowed(url, { lookup }).then(
    () => true,
    () => false
  )
}

t.test('an IPv4 address as the host, in any notation', async () => {
  const cases = values(32, IPV4).chain((value) => fc.tuple(fc.constant(value), host4(value)))
  await fc.assert(
    fc.asyncProperty(cases, async ([value, host]) => (await passes(`https://${host}/`)) === isPublic4(value)),
    { numRuns: 3000 }
  )
})

t.test('an IPv6 address as the host, in any notation', async () => {
  const cases = all6.chain((value) => fc.tuple(fc.constant(value), text6(value)))
  await fc.assert(
    fc.asyncProperty(cases, async ([value, text]) => (await passes(`https://[${text}]/`)) === isPublic6(value)),
    { numRuns: 3000 }
  )
})

t.test('either as the answer of a resolver', async () => {
  const cases = fc.oneof(
    values(32, IPV4).map((value) => [dotted(value), isPublic4(value)] as const),
    all6.chain((value) => text6(value).map((text) => [text, isPublic6(value)] as const))
  )
  await fc.assert(
    fc.asyncProperty(cases, async ([answer, expected]) => (await passes('https://a.example/', answer)) === expected),
    { numRuns: 3000 }
  )
})
