/** How pages for readers are written: short, and in the words of the field. */
import { type Finding, lineAt } from './finding.ts'
import type { SourceFile } from './repository.ts'

const MOST_LINES = 150

/** Phrases that readers stumble over, and what to write in their place. */
const PHRASES: readonly [phrase: RegExp, instead: string][] = [
  [/\bnpx svc-cli\b/g, 'write npx svc'],
  [/\b(?:one|that|those|plugins?|servers?|applications?) of (?:ours|yours)\b/gi, 'write our, or your'],
  [/\b(?:whoever|nobody)\b/gi, 'name who does it; or no one'],
  [/\banew\b/gi, 'write again'],
  [/\b(?:is|are) told\b/gi, 'write gets or receives, or name who tells what'],
  [/\bwho holds\b/gi, 'write with']
]

export function proseFindings(pages: readonly SourceFile[]): Finding[] {
  return pages.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    const fix = 'split it into pages by task; operations have a page of their own'
    const long = lines > MOST_LINES ? [{ path, line: 0, problem: `has ${lines} lines`, fix }] : []
    const worded = PHRASES.flatMap(([phrase, instead]) =>
      [...text.matchAll(phrase)].map(({ 0: found, index }) => {
        return { path, line: lineAt(text, index), problem: `says "${found}"`, fix: instead }
      })
    )
    return [...long, ...worded]
  })
}
