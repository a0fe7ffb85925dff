/** Request targets: paths of routes, rewritten in all the ways that one router or another reads as the same path. */
import fc from 'fast-check'

const PATHS = [
  '/',
  '/admin',
  '/admin/users',
  '/admin/users/7',
  '/admin/deep/er',
  '/admin/in',
  '/files/report',
  '/files/secret/plan',
  '/api/hello',
  '/api/thing/edit',
  '/kiosk/users',
  '/kiosk/page',
  '/acme/users',
  '/acme/page',
  '/acme/edit',
  '/public/page',
  '/nowhere/at/all'
]

/** Texts put into a path, or before it; most of them mean something to some router, proxy or server. */
const PIECES = [
  '/',
  '//',
  '/./',
  '/../',
  '/%2e%2e/',
  '%2f',
  '%2F',
  '%5c',
  '\\',
  ';',
  ';x=1',
  '?',
  '?a=/admin/users',
  '#',
  '%23',
  '%3b',
  '%3f',
  '%00',
  '%20',
  '%25',
  '%2561',
  '%c0%ae',
  '%ff',
  '%E2%84%AA',
  '%C5%BF',
  '\u00e9',
  '*',
  ':id',
  '|',
  'admin',
  'ADMIN',
  '/edit'
]

const STARTS = [
  '',
  '',
  '',
  '',
  '/',
  'http://evil',
  'HTTP://evil',
  'https://evil:8080',
  'http://a@evil',
  'http:/',
  'x:',
  '//evil',
  '.'
]

const ENDS = ['', '', '', '', '/', '//', ';', '?', '/;x']

type Edit = (target: string, at: number) => string

const escaped: Edit = (target, at) => {
  const code = target.charCodeAt(at)
  const hex = code.toString(16).padStart(2, '0')
  return code > 0x7f ? target : `${target.slice(0, at)}%${hex}${target.slice(at + 1)}`
}

const otherCase: Edit = (target, at) => {
  const char = target.charAt(at)
  const turned = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()
  return target.slice(0, at) + turned + target.slice(at + 1)
}

const removed: Edit = (target, at) => target.slice(0, at) + target.slice(at + 1)

const doubled: Edit = (target, at) => target.slice(0, at + 1) + target.slice(at)

const edits: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(escaped) },
  { weight: 2, arbitrary: fc.constant(otherCase) },
  { weight: 1, arbitrary: fc.constant(removed) },
  { weight: 1, arbitrary: fc.constant(doubled) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...PIECES).map(
      (piece): Edit =>
        (target, at) =>
          target.slice(0, at) + piece + target.slice(at)
    )
  }
)

/** A target without white space, which would end it on the wire. */
export const mutatedTarget: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...STARTS),
    fc.constantFrom(...PATHS),
    fc.array(fc.tuple(edits, fc.nat({ max: 40 })), { maxLength: 4 }),
    fc.constantFrom(...ENDS)
  )
  .map(([start, path, changes, end]) => {
    const changed = changes.reduce((target, [edit, at]) => edit(target, at % (target.length + 1)), path)
    return `${start}${changed}${end}`.replace(/\s/g, '') || '/'
  })
