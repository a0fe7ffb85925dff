/**
 * Prompts from a folder of Markdown: `review-order.md` is the prompt `review-order`. Its first heading is the title, its first
 * paragraph the description, and each `{{name}}` an argument. The files are read once, at the boot.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from 'svc-kernel'

export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  /** All of them are required. */
  readonly arguments: readonly string[]
  readonly text: string
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/
const PLACE = /\{\{\s*([A-Za-z_]\w{0,63})\s*\}\}/g
const MORE = 'npx svc docs tools-for-agents'

export function readPrompts(
  folder: string,
  at: string
): { readonly prompts: readonly Prompt[]; readonly problems: readonly Problem[] } {
  try {
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .sort()
    const prompts = files.map((file) => promptOf(file.slice(0, -3), readFileSync(join(folder, file), 'utf8')))
    return { prompts, problems: prompts.flatMap((prompt) => problemsOf(prompt, at)) }
  } catch (error) {
    const { message } = error as Error
    const problem = { code: 'SVC_MCP_PROMPTS', message: `the prompts cannot be read: ${message}`, at, got: folder }
    return {
      prompts: [],
      problems: [{ ...problem, expected: 'a folder of .md files', fix: 'correct the path', more: MORE }]
    }
  }
}

function promptOf(name: string, text: string): Prompt {
  const [, title = name] = /^# +(.+?)\s*$/m.exec(text) ?? []
  const paragraphs = text.split(/\r?\n(?:[ \t]*\r?\n)+/).map((part) => part.trim())
  const description = paragraphs.find((part) => part !== '' && !part.startsWith('#')) ?? ''
  const names = [...text.matchAll(PLACE)].map(([, argument]) => argument as string)
  return { name, title, description: description.replaceAll(/\s+/g, ' '), arguments: [...new Set(names)], text }
}

function problemsOf({ name, description }: Prompt, at: string): Problem[] {
  const problem = (code: string, message: string, fix: string): Problem => ({ code, message, at, fix, more: MORE })
  return [
    ...(NAME.test(name)
      ? []
      : [
          problem(
            'SVC_MCP_NAME',
            `the prompt ${JSON.stringify(name)} has an invalid name`,
            'rename the file: letters, digits, _ and -'
          )
        ]),
    ...(description === ''
      ? [
          problem(
            'SVC_MCP_DESCRIPTION',
            `the prompt ${name} has no description`,
            'begin it with a paragraph that says what it is for'
          )
        ]
      : [])
  ]
}

/** The text with its arguments; `null` and the name of one that is missing or unknown. */
export function filledPrompt(
  prompt: Prompt,
  given: Readonly<Record<string, string>>
): { readonly text: string } | { readonly fault: string } {
  const missing = prompt.arguments.find((name) => !Object.hasOwn(given, name))
  if (missing !== undefined) return { fault: `the argument ${missing} is missing` }
  const unknown = Object.keys(given).find((name) => !prompt.arguments.includes(name))
  if (unknown !== undefined) return { fault: `${unknown} is not an argument of this prompt` }
  return { text: prompt.text.replaceAll(PLACE, (_, name: string) => given[name] as string) }
}
