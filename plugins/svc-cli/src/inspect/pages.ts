/** The pages that come with this command: guides, reference, READMEs of the packages and the changelog. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { shippedFolder } from '../application/package-links.ts'

export interface Page {
  /** As it is asked for: the name of its file, or of the package whose README it is. */
  readonly name: string
  readonly title: string
  readonly text: string
}

/** Pages that list what changed in a version; they teach and explain nothing. */
export const OF_A_VERSION = /^changelog$|-\d+\.\d+\.\d+$/

export function readPages(): Page[] {
  const root = dirname(shippedFolder('docs'))
  const paths = globSync(['CHANGELOG.md', 'docs/{guides,reference}/*.md', 'docs/*.md', 'plugins/*/README.md'], {
    cwd: root
  })
  return paths.sort().map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const file = basename(path, '.md')
    return {
      name: file === 'README' ? (path.split(sep)[1] ?? '') : file.toLowerCase(),
      title: /^# (.+)$/m.exec(text)?.[1] ?? '',
      text
    }
  })
}
