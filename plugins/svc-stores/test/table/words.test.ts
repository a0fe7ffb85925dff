/** What is a word, and what is stored of long texts. The suites of tables and repositories ask every engine for them. */
import t from 'tap'
import { searchedWords, wordsText } from '../../src/table/words.ts'

t.test('letters, their marks and digits make words, without case and accents', (t) => {
  const expected: readonly (readonly [text: string, words: string])[] = [
    ['', ''],
    ['Red  chair', 'red chair'],
    ['Red, CHAIR! (oak)', 'red chair oak'],
    ["don't T-Shirt snake_case", 'don t t shirt snake case'],
    ['1.500,00 € 60°C', '1 500 00 60 c'],
    ['Größe STRASSE Straße', 'grosse strasse strasse'],
    ['Cafe\u0301 café CAFÉ', 'cafe cafe cafe'],
    ['İstanbul ISPARTA ısı', 'istanbul isparta isi'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['ﬁne ① ²', 'fine 1 2'],
    ['हिन्दी', 'हिन्दी'],
    ['か\u3099 が', 'が が'],
    ['日本語 テスト', '日本語 テスト'],
    ['\u{1f600} \ud800 \u0000 -', ''],
    ['𐐀𐐨', '𐐨𐐨']
  ]
  for (const [text, words] of expected) t.equal(wordsText(text), words, JSON.stringify(text))
  t.end()
})

t.test('a word counts four times, is cut behind 60 characters, and the words of a text have an end', (t) => {
  t.equal(wordsText('red '.repeat(9)), 'red red red red')
  t.equal(wordsText('a'.repeat(61)), 'a'.repeat(60))
  t.equal(wordsText('\u{10428}'.repeat(61)), '\u{10428}'.repeat(60), 'no character is cut')
  const many = Array.from({ length: 50_000 }, (_, index) => `w${index}`).join(' ')
  const held = wordsText(many)
  t.ok(held.length <= 60_000 && many.startsWith(held) && held.length > 59_900)
  t.equal(wordsText(`${' '.repeat(1_000_000)}red`), '', 'what is far behind is not looked at')
  t.end()
})

t.test('words that are searched for are each there once; a star makes the last one a prefix', (t) => {
  t.strictSame(searchedWords('Red red chair'), [{ word: 'red' }, { word: 'chair' }])
  t.strictSame(searchedWords('red Cha* '), [{ word: 'red' }, { word: 'cha', prefix: true }])
  t.strictSame(searchedWords('cha cha*'), [{ word: 'cha' }, { word: 'cha', prefix: true }])
  t.strictSame(searchedWords('re* chair'), [{ word: 're' }, { word: 'chair' }])
  t.strictSame(searchedWords('chair *'), [{ word: 'chair' }])
  t.strictSame(searchedWords('* -'), [])
  t.end()
})
