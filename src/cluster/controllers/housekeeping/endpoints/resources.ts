/** Where services and what tells of them live in the API. */
import { defineResource } from "../../../../kube/index.ts";
import type { EndpointSlice, Endpoints, Service } from "./decide/types.ts";

export const SERVICES = defineResource<Service>("v1", "Service", "services");
export const ENDPOINTS = defineResource<Endpoints>("v1", "Endpoints", "endpoints");
export const SLICES = defineResource<EndpointSlice>("discovery.k8s.io/v1", "EndpointSlice", "endpointslices");
