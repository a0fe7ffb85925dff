/** What all parameter decorators share: one declaration on one parameter. */
import type { ParameterDeclaration, ParameterKind } from '../declarations/declarations.ts'
import { onParameter, type ParameterOnly } from '../declarations/declare.ts'
import { showCall } from '../declarations/show-call.ts'

interface ParameterParts {
  name?: string | undefined
  stream?: boolean
  binary?: boolean
}

export function declareParameter(
  kind: ParameterKind,
  { name, stream = false, binary = false }: ParameterParts,
  decorator: string,
  args: readonly unknown[],
  source: string | null
): ParameterOnly {
  const declaration: ParameterDeclaration = { decorator: showCall(decorator, args), source, kind, name, stream, binary }
  return (target, key, index) => {
    onParameter(declaration, target, key, index)
  }
}
