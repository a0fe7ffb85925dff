/**
 * Applies a declaration to what a legacy decorator was called with: a class,
 * a method or a parameter. Nothing is checked here but the kind of decorator.
 */
import { StandardDecorators } from '../errors.ts'
import {
  type ClassDeclarations,
  declarationsOf,
  type MethodDeclarations,
  methodDeclarationsOf,
  type ParameterDeclaration,
  type Written
} from './declarations.ts'

/** Legacy method decorator; plain JavaScript may call it with `(Class.prototype, 'name', descriptor)`. */
export type MethodOnly = (target: object, name: string | symbol, descriptor?: PropertyDescriptor) => void

/** Legacy decorator of a class or a method. */
export type ClassOrMethod = (target: object, name?: string | symbol, descriptor?: PropertyDescriptor) => void

/** Legacy parameter decorator: `(Class.prototype, 'name', index)`. */
export type ParameterOnly = (target: object, name: string | symbol | undefined, index: number) => void

export function onMethod(
  written: Written,
  target: object,
  name: string | symbol,
  apply: (method: MethodDeclarations) => void
): void {
  refuseStandard(written, name)
  if (typeof target === 'function') {
    declarationsOf(target).misplaced.push({
      ...written,
      place: name === undefined ? 'the class' : `static ${String(name)}`
    })
  } else {
    apply(methodDeclarationsOf(target, name))
  }
}

export function onClassOrMethod(
  written: Written,
  target: object,
  name: string | symbol | undefined,
  apply: (declarations: ClassDeclarations | MethodDeclarations) => void
): void {
  refuseStandard(written, name)
  if (name === undefined) apply(declarationsOf(target))
  else onMethod(written, target, name, apply)
}

export function onParameter(
  declaration: ParameterDeclaration,
  target: object,
  name: string | symbol | undefined,
  index: number
): void {
  refuseStandard(declaration, name)
  if (name === undefined) {
    declarationsOf(target).misplaced.push({ ...declaration, place: 'the constructor' })
  } else {
    onMethod(declaration, target, name, (method) => {
      method.parameters.set(index, declaration)
    })
  }
}

/** Standard decorators pass a context object where legacy ones pass the name. */
export function refuseStandard({ decorator }: Written, name: unknown): void {
  if (typeof name === 'object' && name !== null) throw new StandardDecorators(decorator)
}
