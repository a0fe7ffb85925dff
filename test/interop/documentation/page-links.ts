/** Finds links that lead nowhere: a missing file, or a heading that the page does not have. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { type MarkdownPage, readPage } from './markdown-page.ts'
import { inRepository } from './repository.ts'

/** Relative links and anchors only; an address of another host is not looked up. */
export function brokenLinks(page: MarkdownPage): string[] {
  return page.links
    .filter(({ target }) => !/^[a-z][a-z+.-]*:/i.test(target))
    .flatMap(({ target, line }) => {
      const complaint = complaintAbout(page.path, target)
      return complaint === null ? [] : [`${page.path}:${line} ${target}: ${complaint}`]
    })
}

/** `null` when `target`, written on page `from`, leads somewhere. Both are relative to the repository. */
export function complaintAbout(from: string, target: string): string | null {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? from : posix.join(dirname(from), file)
  if (path.startsWith('..')) return 'leads out of the repository'
  if (!existsSync(inRepository(path))) return 'no such file'
  if (anchor === undefined) return null
  if (statSync(inRepository(path)).isDirectory()) return 'a folder has no headings'
  const { anchors } = readPage(path, readFileSync(inRepository(path), 'utf8'))
  return anchors.has(anchor) ? null : 'no such heading'
}
