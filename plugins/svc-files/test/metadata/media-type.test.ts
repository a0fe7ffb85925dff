/** Which type a file is stored with: its bytes, its sender, and both that disagree. */
import t from 'tap'
import { checkType, mediaTypeOf } from '../../src/metadata/media-type.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const PNG = latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')
const ZIP = latin('PK\x03\x04\x14\0')
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

t.test('the type of a file', async (t) => {
  const cases: readonly (readonly [declared: string, head: Buffer, type: string])[] = [
    ['image/png', PNG, 'image/png'],
    ['text/html', PNG, 'image/png'],
    ['', PNG, 'image/png'],
    ['', latin('\xff\xd8\xff\xe0\0\x10JFIF'), 'image/jpeg'],
    ['', latin('GIF89a'), 'image/gif'],
    ['', latin('RIFF\x01\x02\x03\x04WEBPVP8 '), 'image/webp'],
    ['', latin('RIFF\x01\x02\x03\x04WAVEfmt '), 'audio/wav'],
    ['', latin('\0\0\0\x20ftypavif'), 'image/avif'],
    ['', latin('\0\0\0\x20ftypheic'), 'image/heic'],
    ['', latin('\0\0\0\x20ftypisom'), 'video/mp4'],
    ['', latin('%PDF-1.7'), 'application/pdf'],
    ['', latin('MZ\x90\0'), 'application/x-msdownload'],
    ['', latin('\x7fELF\x02'), 'application/x-elf'],
    ['application/zip', ZIP, 'application/zip'],
    [WORD, ZIP, WORD],
    ['application/epub+zip', ZIP, 'application/epub+zip'],
    ['image/png', ZIP, 'application/zip'],
    ['application/msword', latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'application/msword'],
    ['audio/webm', latin('\x1aE\xdf\xa3'), 'audio/webm'],
    // A claim that the bytes do not bear out.
    ['image/png', latin('<script>'), 'application/octet-stream'],
    ['application/pdf', latin('%PD'), 'application/octet-stream'],
    [WORD, latin('hello'), 'application/octet-stream'],
    // Types without bytes of their own.
    ['text/plain; charset=utf-8', latin('hello'), 'text/plain'],
    ['TEXT/HTML', latin('<p>'), 'text/html'],
    ['text/plain', latin('a\0b'), 'application/octet-stream'],
    ['application/json', latin('{}'), 'application/json'],
    ['image/svg+xml', latin('<svg>'), 'image/svg+xml'],
    ['', latin('hello'), 'application/octet-stream'],
    ['nonsense', latin('hello'), 'application/octet-stream'],
    ['text/plain\r\nx: y', latin('hello'), 'application/octet-stream'],
    ['text/plain', latin(''), 'text/plain']
  ]
  for (const [declared, head, type] of cases) t.equal(mediaTypeOf(declared, head), type, `${declared} ${head}`)
})

t.test('a list of types is kept to', async (t) => {
  const taken = ['image/*', 'application/pdf']
  for (const type of ['image/png', 'image/svg+xml', 'application/pdf']) t.doesNotThrow(() => checkType(type, taken))
  for (const type of ['application/pdfx', 'imagex/png', 'text/html']) {
    t.throws(() => checkType(type, taken), { code: 'SVC_FILES_TYPE', statusCode: 415 }, type)
  }
  t.throws(() => checkType('text/html', []), { code: 'SVC_FILES_TYPE' })
  t.doesNotThrow(() => checkType('text/html', undefined))
})
