/**
 * The codes that a package declares, with what its doc comments say of each: `<where>: <meaning>. Fix: <remedy>.`
 * An error class is declared in `errors.ts` of the package or of one of its folders, any other code in `problem-codes.ts`.
 * Pure.
 */
import { lineAt } from './finding.ts'
import { packageOf, type SourceFile } from './repository.ts'

export interface DeclaredCode {
  readonly code: string
  readonly path: string
  readonly line: number
  /** Package that declares it. */
  readonly owner: string
  /** What the rest of the package knows it by: the name of its class; `null` for a code that is no class. */
  readonly name: string | null
  /** A status, `boot`, `warning`, `log`, `thrown`, `CLI`; empty where the doc comment has another form. */
  readonly where: string
  readonly meaning: string
  readonly fix: string
}

/** Where codes are declared. */
export const DECLARATION_FILES = /^plugins\/[^/]+\/src\/(?:(?:[^/]+\/)?errors|problem-codes)\.ts$/
/** A doc comment, if there is one, and the constant of an error class or the key of a table. */
const DECLARATION =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n *)?(?:(?:export )?const (\w+) = (?:createError|expectedError)(?:<[^(]*>)?\(\s*'(SVC_\w+)'|'?(SVC_[\w<>]+)'?: true$)/gm

export function declaredCodes(sources: readonly SourceFile[]): DeclaredCode[] {
  return sources
    .filter(({ path }) => DECLARATION_FILES.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(DECLARATION)].map(({ 0: whole, 1: own = '', 2: constant, 3: raised, 4: listed, index }) => {
        const child = constant === undefined ? null : childOf(text, constant)
        return {
          code: raised ?? listed ?? '',
          path,
          line: lineAt(text, index + whole.length - 1),
          owner: packageOf(path) ?? '',
          name: child?.name ?? constant ?? null,
          ...partsOf(child?.comment ?? own)
        }
      })
    )
}

/** The exported class that gives a private error its name and its fields. */
function childOf(text: string, parent: string): { name: string; comment: string } | null {
  const found = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport class (\\w+) extends ${parent}\\b`).exec(text)
  return found === null ? null : { comment: found[1] ?? '', name: found[2] ?? '' }
}

/** Only the first paragraph is for the reference page; what follows are reasons. */
function partsOf(comment: string): Pick<DeclaredCode, 'where' | 'meaning' | 'fix'> {
  const [text = ''] = comment
    .replace(/^\s*\* ?/gm, '')
    .trim()
    .split('\n\n')
  const [, where = '', meaning = '', fix = ''] =
    /^([^:]+): ([\s\S]+?)\. Fix: ([\s\S]+)\.$/.exec(text.trim().replace(/\s*\n\s*/g, ' ')) ?? []
  return { where, meaning, fix }
}
