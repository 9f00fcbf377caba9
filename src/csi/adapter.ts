/** Joins the two halves of the stack: messages and services as protobuf-es describes them, calls as grpc-js makes them. */
import {
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";

/** How a method is called: its path on the wire (`/csi.v1.Controller/ControllerExpandVolume`) and both its codecs. */
export function methodDefinition<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
): MethodDefinition<MessageShape<I>, MessageShape<O>> {
  return {
    path: methodPath(method),
    requestStream: false,
    responseStream: false,
    requestSerialize: (message) => asBuffer(toBinary(method.input, message)),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: (message) => asBuffer(toBinary(method.output, message)),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}

/** What grpc-js needs to serve a service. Keys are the local names of the methods (`controllerExpandVolume`). */
export function serviceDefinition(service: DescService): ServiceDefinition {
  return Object.fromEntries(unaryMethods(service).map((method) => [method.localName, methodDefinition(method)]));
}

/** The methods of a service. All of CSI that we speak is unary; another kind is a mistake in the proto. */
export function unaryMethods(service: DescService): DescMethodUnary[] {
  return service.methods.map((method) => {
    if (isUnary(method)) return method;
    throw new TypeError(`${methodPath(method)} is not a unary method`);
  });
}

function isUnary(method: DescMethod): method is DescMethod & DescMethodUnary {
  return method.methodKind === "unary";
}

export function methodPath(method: Pick<DescMethod, "name" | "parent">): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** The same memory, seen as what grpc-js takes. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
