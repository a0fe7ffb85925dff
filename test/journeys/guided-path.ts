/**
 * A guided path of a page, step by step as its text has it. What can be followed, in the order of the text:
 *
 * - a `bash` block: each command is run in the terminal of the path, which remembers `cd`; a `ts` block is saved
 * - "Open <url>", "sign in", "Click **name**", "`text` as **label**": done in the browser
 * - "You see `text`": in the page, or in a command that still runs; before a block, after a colon, in what it prints
 * - "The first terminal says `text`": of the server, once the block that follows is done
 * - "Repeat step 1": its block again
 */
export type Action =
  | { readonly do: 'open'; readonly url: string }
  | { readonly do: 'sign in' }
  | { readonly do: 'click'; readonly name: string }
  | { readonly do: 'enter'; readonly text: string; readonly label: string }
  | { readonly do: 'see'; readonly text: string }
  | { readonly do: 'run'; readonly code: string; readonly prints: readonly string[] }
  | { readonly do: 'save'; readonly path: string; readonly code: string }
  | { readonly do: 'says'; readonly text: string }
  | { readonly do: 'repeat'; readonly step: number }

export interface Step {
  readonly title: string
  readonly actions: readonly Action[]
  /** Names and addresses of the text that no action has: an instruction that is not understood. */
  readonly unread: readonly string[]
}

/** What prose says of the block that follows it. */
type Said =
  | Action
  | { readonly do: 'prints'; readonly texts: readonly string[] }
  | { readonly do: 'name'; readonly path: string }

const SAYINGS: ReadonlyArray<readonly [RegExp, (first: string, second: string) => readonly Said[]]> = [
  [/\bopen <([^>]+)>/gi, (url) => [{ do: 'open', url }]],
  [/\bsign in\b/g, () => [{ do: 'sign in' }]],
  [/\bclick \*\*([^*]+)\*\*/gi, (name) => [{ do: 'click', name }]],
  [/`([^`]+)` as \*\*([^*]+)\*\*/gi, (text, label) => [{ do: 'enter', text, label }]],
  [/\bYou see ((?:[^`.:]|`[^`]+`)+):/g, (seen) => [{ do: 'prints', texts: spansOf(seen) }]],
  [/\bYou see ((?:[^`.:]|`[^`]+`)+)\./g, (seen) => spansOf(seen).map((text) => ({ do: 'see', text }))],
  [/\bfirst terminal says `([^`]+)`/g, (text) => [{ do: 'says', text }]],
  [/\bRepeat step (\d)/g, (step) => [{ do: 'repeat', step: Number(step) }]],
  [/\bSave this as `([^`]+)`/g, (path) => [{ do: 'name', path }]]
]

/** @param page the text of a page @param title of the section whose paragraphs begin with `**1. ...**` */
export function guidedPath(page: string, title: string): Step[] {
  const [, after = ''] = page.split(`\n## ${title}\n`)
  const [section = ''] = after.split('\n## ')
  return section.split(/^(?=\*\*\d+\. )/m).flatMap((text) => {
    const [head = '', name] = /^\*\*\d+\. (.+?)\*\*/.exec(text) ?? []
    return name === undefined ? [] : [stepOf(name, text.slice(head.length))]
  })
}

function stepOf(title: string, text: string): Step {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/\s+/g, ' ')
  const rest = SAYINGS.reduce((left, [pattern]) => left.replace(pattern, ''), prose)
  return { title, actions: actionsOf(text), unread: rest.match(/\*\*[^*]+\*\*|<http[^>]+>/g) ?? [] }
}

function actionsOf(text: string): Action[] {
  const actions: Action[] = []
  // Prose, the words of a fence, its code, and the empty words of its end.
  const parts = text.split(/^```(.*)$/m)
  for (let at = 0; at < parts.length; at += 4) {
    const said = saidIn(parts[at] ?? '')
    const isLast = at + 2 >= parts.length
    const later: Said[] = isLast
      ? []
      : said.filter((each) => each.do === 'prints' || each.do === 'name' || each.do === 'says')
    actions.push(...said.filter((each): each is Action => !later.includes(each) && isAction(each)))
    if (!isLast) actions.push(...blockActions(parts[at + 1] ?? '', (parts[at + 2] ?? '').trim(), later))
  }
  return actions
}

/** In the order of the text. */
function saidIn(prose: string): Said[] {
  const flowing = prose.replace(/\s+/g, ' ')
  const found = SAYINGS.flatMap(([pattern, make]) =>
    [...flowing.matchAll(pattern)].map(({ index, 1: first = '', 2: second = '' }) => ({
      index,
      said: make(first, second)
    }))
  )
  return found.sort((a, b) => a.index - b.index).flatMap(({ said }) => said)
}

function isAction(said: Said): said is Action {
  return said.do !== 'prints' && said.do !== 'name'
}

function blockActions(words: string, code: string, before: readonly Said[]): Action[] {
  const path = before.find((said) => said.do === 'name')?.path ?? ''
  const prints = before.flatMap((said) => (said.do === 'prints' ? said.texts : []))
  const block: Action = words.startsWith('ts') ? { do: 'save', path, code } : { do: 'run', code, prints }
  return [block, ...before.filter((said) => said.do === 'says')]
}

function spansOf(sentence: string): string[] {
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
}

/** The commands of a block; a line that ends in `\` goes on in the next. */
export function commandsOf(code: string): string[] {
  return code
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean)
}
