/** In development: where an answer leaves the schema that its tool promises. Schemas are compiled at their first answer. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Tool } from '../tools/tool.ts'
import type { ToolResult } from './tool-result.ts'

type Check = (data: unknown) => string | null

export class AnswerChecks {
  readonly #checks = new WeakMap<Tool, Check>()
  #ajv: Ajv2020 | undefined

  /** @returns where and how, or `null` for an answer that keeps to its schema */
  faultOf(tool: Tool, { structuredContent, isError }: ToolResult): string | null {
    if (tool.outputSchema === null || isError === true) return null
    let check = this.#checks.get(tool)
    if (check === undefined) {
      check = this.#compile(tool.outputSchema)
      this.#checks.set(tool, check)
    }
    return check(structuredContent)
  }

  #compile(schema: object): Check {
    // Formats are annotations of an answer; what is no JSON Schema 2020-12 is not checked.
    this.#ajv ??= new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
    const ajv = this.#ajv
    try {
      const validate = ajv.compile(schema)
      return (data) => (validate(data) ? null : ajv.errorsText(validate.errors, { dataVar: 'answer', separator: '; ' }))
    } catch {
      return () => null
    }
  }
}
