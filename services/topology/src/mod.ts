/** The server as several processes on one machine. */
export { startTopology, type Topology, type TopologyOptions } from './start-topology.ts';
