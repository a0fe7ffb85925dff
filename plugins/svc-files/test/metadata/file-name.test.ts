/** Names of files: what is left of those that attack, and the header that carries them. */
import fc from 'fast-check'
import t from 'tap'
import { contentDisposition, safeFileName } from '../../src/metadata/file-name.ts'

t.test('a name is one harmless segment', async (t) => {
  const cases: Readonly<Record<string, string>> = {
    'report.pdf': 'report.pdf',
    '../../etc/passwd': 'passwd',
    'C:\\Users\\ada\\cv.doc': 'cv.doc',
    '/': 'file',
    '': 'file',
    '..': 'file',
    '.htaccess': 'htaccess',
    'a\0b\r\nc.txt': 'abc.txt',
    'invoice\u202egnp.exe': 'invoicegnp.exe',
    'a  b.txt ': 'a b.txt',
    'a"<b>|c?.txt': 'abc.txt',
    'CON.txt': '_CON.txt',
    lpt1: '_lpt1',
    'console.txt': 'console.txt',
    'u\u0308ber.txt': 'über.txt',
    '報告書.pdf': '報告書.pdf',
    'half\ud800.txt': 'half\ufffd.txt'
  }
  for (const [given, name] of Object.entries(cases)) t.equal(safeFileName(given), name, JSON.stringify(given))
})

t.test('a long name keeps its extension', async (t) => {
  t.equal(safeFileName(`${'a'.repeat(300)}.tar`), `${'a'.repeat(251)}.tar`)
  const wide = safeFileName(`${'🙂'.repeat(100)}.png`)
  t.match(wide, /^🙂+\.png$/u)
  t.ok(Buffer.byteLength(wide) <= 255)
})

t.test('whatever is given: no path, no control, 1 to 255 bytes, and safe again as it is', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = safeFileName(given)
      return (
        !/[\\/\p{Cc}]/u.test(name) &&
        name !== '.' &&
        name !== '..' &&
        Buffer.byteLength(name) > 0 &&
        Buffer.byteLength(name) <= 255 &&
        safeFileName(name) === name
      )
    })
  )
})

t.test('the header has the name in ASCII, and whole', async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    ['report.pdf', 'attachment; filename="report.pdf"'],
    ['über 1.pdf', 'attachment; filename="_ber 1.pdf"; filename*=UTF-8\'\'%C3%BCber%201.pdf'],
    ["it's (1).pdf", 'attachment; filename="it\'s (1).pdf"'],
    ["ü'(*).pdf", "attachment; filename=\"_'(*).pdf\"; filename*=UTF-8''%C3%BC%27%28%2A%29.pdf"],
    ['100%.pdf', 'attachment; filename="100_.pdf"; filename*=UTF-8\'\'100%25.pdf'],
    ['a"b\\c', 'attachment; filename="a_b_c"; filename*=UTF-8\'\'a%22b%5Cc']
  ]
  for (const [name, header] of cases) t.equal(contentDisposition('attachment', name), header)
  t.equal(contentDisposition('inline', 'a.png'), 'inline; filename="a.png"')
})
