/**
 * What the compiler checks of a method under a route with a schema for its body: one of its parameters must take what the
 * schema gives. A legacy decorator of a method sees all of its parameters, and not which of them has `@Body()`.
 */
import type { Infer } from 'svc-kernel'

/** Legacy method decorator, as `MethodOnly`. `Besides` are types of parameters that read the body in another form. */
export type MethodTaking<Body, Besides = never> = <Method>(
  target: object,
  name: string | symbol,
  descriptor?: (TypedPropertyDescriptor<Method> & Checked<Method, Infer<Body>, Besides>) | undefined
) => void

/** In the compiler's message, the name of the key is the reason. */
interface NoParameterTakesTheBody<Value> {
  readonly 'no parameter of the method takes what the schema of the body gives': Value
}

type Checked<Method, Value, Besides> = unknown extends Value
  ? unknown
  : Method extends (...parameters: infer Parameters) => unknown
    ? Parameters extends readonly []
      ? unknown
      : true extends { [Index in keyof Parameters]: Takes<Parameters[Index], Value, Besides> }[number]
        ? unknown
        : NoParameterTakesTheBody<Value>
    : unknown

/** `@Ctx()` gives the request, and so its body. */
type Takes<Parameter, Value, Besides> = [Value] extends [Parameter]
  ? true
  : [Parameter] extends [{ readonly request: unknown }]
    ? true
    : [Parameter] extends [Besides]
      ? [Besides] extends [never]
        ? false
        : true
      : false
