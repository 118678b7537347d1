/* SPDX-License-Identifier: GPL-2.0 */
/* What nlclient expects of the attributes of statistics; spec.h includes it at its end. */
#ifndef NLCLIENT_SPEC_STATS_H
#define NLCLIENT_SPEC_STATS_H

static const struct spec totals_spec[MCFAB_A_TOTALS_MAX + 1] = {
	[MCFAB_A_TOTALS_MESSAGES] = { UINT },
	[MCFAB_A_TOTALS_INCOMPLETE] = { UINT },
	[MCFAB_A_TOTALS_DESTINATIONS] = { UINT },
	[MCFAB_A_TOTALS_DELIVERIES] = { UINT },
	[MCFAB_A_TOTALS_FLITS] = { UINT },
	[MCFAB_A_TOTALS_WORMS] = { UINT },
	[MCFAB_A_TOTALS_STARTUPS] = { UINT },
	[MCFAB_A_TOTALS_TRAFFIC] = { UINT },
	[MCFAB_A_TOTALS_ADDITIONAL] = { SINT },
	[MCFAB_A_TOTALS_CHANNEL_CYCLES] = { UINT },
	[MCFAB_A_TOTALS_QUEUE_CYCLES] = { UINT },
};

static const struct set totals_set = { "totals", MCFAB_A_TOTALS_MAX, totals_spec };

static const struct spec sample_spec[MCFAB_A_SAMPLE_MAX + 1] = {
	[MCFAB_A_SAMPLE_COUNT] = { UINT },
	[MCFAB_A_SAMPLE_MINIMUM] = { SINT },
	[MCFAB_A_SAMPLE_MAXIMUM] = { SINT },
	[MCFAB_A_SAMPLE_SUM] = { SINT },
	[MCFAB_A_SAMPLE_SUM_HIGH] = { SINT },
	[MCFAB_A_SAMPLE_SQUARES] = { UINT },
	[MCFAB_A_SAMPLE_SQUARES_HIGH] = { UINT },
	[MCFAB_A_SAMPLE_MEAN_MICRO] = { SINT },
	[MCFAB_A_SAMPLE_DEVIATION_MICRO] = { UINT },
	[MCFAB_A_SAMPLE_HALF_WIDTH_MICRO] = { UINT },
	[MCFAB_A_SAMPLE_CORRELATED] = { FLAG },
};

static const struct set sample_set = { "sample", MCFAB_A_SAMPLE_MAX, sample_spec };

static const struct spec interval_spec[MCFAB_A_INTERVAL_MAX + 1] = {
	[MCFAB_A_INTERVAL_MEAN_UCYCLES] = { UINT },
	[MCFAB_A_INTERVAL_HALF_WIDTH_UCYCLES] = { UINT },
	[MCFAB_A_INTERVAL_RELATIVE_PPM] = { UINT },
	[MCFAB_A_INTERVAL_OBSERVATIONS] = { UINT },
	[MCFAB_A_INTERVAL_LAG1_PPM] = { SINT },
	[MCFAB_A_INTERVAL_CORRELATED] = { FLAG },
};

static const struct set interval_set = { "interval", MCFAB_A_INTERVAL_MAX, interval_spec };

static const struct spec parts_spec[MCFAB_A_PARTS_MAX + 1] = {
	[MCFAB_A_PARTS_QUEUE] = { UINT },
	[MCFAB_A_PARTS_PREPARATION] = { UINT },
	[MCFAB_A_PARTS_STARTUP] = { UINT },
	[MCFAB_A_PARTS_ROUTING] = { UINT },
	[MCFAB_A_PARTS_TRANSFER] = { UINT },
	[MCFAB_A_PARTS_INTERFACE] = { UINT },
	[MCFAB_A_PARTS_BLOCKING] = { UINT },
};

static const struct set parts_set = { "parts", MCFAB_A_PARTS_MAX, parts_spec };

static const struct spec quantiles_spec[MCFAB_A_QUANTILES_MAX + 1] = {
	[MCFAB_A_QUANTILES_P50] = { U32 },
	[MCFAB_A_QUANTILES_P90] = { U32 },
	[MCFAB_A_QUANTILES_P95] = { U32 },
	[MCFAB_A_QUANTILES_P99] = { U32 },
};

static const struct set quantiles_set = { "quantiles", MCFAB_A_QUANTILES_MAX, quantiles_spec };

static const struct spec class_stats_spec[MCFAB_A_CLASS_STATS_MAX + 1] = {
	[MCFAB_A_CLASS_STATS_ALL] = { NEST, &totals_set },
	[MCFAB_A_CLASS_STATS_MEASURED] = { NEST, &totals_set },
	[MCFAB_A_CLASS_STATS_TAIL] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_HEADER] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_COMPLETION] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_WORM] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_MEAN_DESTINATION] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_MEAN_WORM] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_CV_HEADER] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_CV_TAIL] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_ADDITIONAL] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_COMPLETION_INTERVAL] = { NEST, &interval_set },
	[MCFAB_A_CLASS_STATS_DESTINATION_INTERVAL] = { NEST, &interval_set },
	[MCFAB_A_CLASS_STATS_WORM_INTERVAL] = { NEST, &interval_set },
	[MCFAB_A_CLASS_STATS_PARTS] = { NEST, &parts_set },
	[MCFAB_A_CLASS_STATS_TAIL_QUANTILES] = { NEST, &quantiles_set },
	[MCFAB_A_CLASS_STATS_COMPLETION_QUANTILES] = { NEST, &quantiles_set },
	[MCFAB_A_CLASS_STATS_WORMS_MICRO] = { UINT },
	[MCFAB_A_CLASS_STATS_STARTUPS_MICRO] = { UINT },
	[MCFAB_A_CLASS_STATS_TRAFFIC_MICRO] = { UINT },
	[MCFAB_A_CLASS_STATS_CHANNEL_CYCLES_MICRO] = { UINT },
	[MCFAB_A_CLASS_STATS_PREDICTED_COMPLETION] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_PREDICTED_DESTINATION] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_PREDICTED_WORM] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_NETWORK_LATENCY] = { NEST, &sample_set },
};

static const struct set class_stats_set = {
	"class_stats", MCFAB_A_CLASS_STATS_MAX, class_stats_spec
};

static const struct spec balance_spec[MCFAB_A_BALANCE_MAX + 1] = {
	[MCFAB_A_BALANCE_CYCLES] = { UINT },
	[MCFAB_A_BALANCE_CHANNELS] = { U32 },
	[MCFAB_A_BALANCE_USED] = { U32 },
	[MCFAB_A_BALANCE_FLITS] = { UINT },
	[MCFAB_A_BALANCE_BUSIEST] = { U32 },
	[MCFAB_A_BALANCE_BUSIEST_FLITS] = { UINT },
	[MCFAB_A_BALANCE_MEAN_PPB] = { UINT },
	[MCFAB_A_BALANCE_MAXIMUM_PPB] = { UINT },
	[MCFAB_A_BALANCE_MAXIMUM_TO_MEAN_MICRO] = { UINT },
	[MCFAB_A_BALANCE_CV_PPM] = { U32 },
	[MCFAB_A_BALANCE_JAIN_PPM] = { U32 },
};

static const struct set balance_set = { "balance", MCFAB_A_BALANCE_MAX, balance_spec };

static const struct spec ni_spec[MCFAB_A_NI_MAX + 1] = {
	[MCFAB_A_NI_PACKETS] = { UINT },
	[MCFAB_A_NI_PEAK] = { U32 },
	[MCFAB_A_NI_RESIDENCE_MICRO] = { UINT },
	[MCFAB_A_NI_RESIDENCE_MAXIMUM] = { UINT },
};

static const struct set ni_set = { "ni", MCFAB_A_NI_MAX, ni_spec };

static const struct spec slip_spec[MCFAB_A_SLIP_MAX + 1] = {
	[MCFAB_A_SLIP_DELIVERIES] = { UINT },
	[MCFAB_A_SLIP_LATE] = { UINT },
	[MCFAB_A_SLIP_MEAN_NS] = { UINT },
	[MCFAB_A_SLIP_MAXIMUM_NS] = { UINT },
	[MCFAB_A_SLIP_HISTOGRAM] = { U64S },
	[MCFAB_A_SLIP_LIMIT_NS] = { UINT },
};

static const struct set slip_set = { "slip", MCFAB_A_SLIP_MAX, slip_spec };

static const struct spec load_spec[MCFAB_A_LOAD_MAX + 1] = {
	[MCFAB_A_LOAD_START] = { UINT },
	[MCFAB_A_LOAD_END] = { UINT },
	[MCFAB_A_LOAD_GENERATED_MESSAGES] = { UINT },
	[MCFAB_A_LOAD_GENERATED_FLITS] = { UINT },
	[MCFAB_A_LOAD_ASKED_COPIES] = { UINT },
	[MCFAB_A_LOAD_ASKED_FLITS] = { UINT },
	[MCFAB_A_LOAD_ACCEPTED_MESSAGES] = { UINT },
	[MCFAB_A_LOAD_ACCEPTED_FLITS] = { UINT },
	[MCFAB_A_LOAD_DELIVERED_COPIES] = { UINT },
	[MCFAB_A_LOAD_DELIVERED_FLITS] = { UINT },
	[MCFAB_A_LOAD_COMPLETED_MESSAGES] = { UINT },
};

static const struct set load_set = { "load", MCFAB_A_LOAD_MAX, load_spec };

static const struct spec saturation_spec[MCFAB_A_SATURATION_MAX + 1] = {
	[MCFAB_A_SATURATION_VERDICT] = { U32 },
	[MCFAB_A_SATURATION_PARTS] = { U32 },
	[MCFAB_A_SATURATION_GENERATED_MICRO] = { UINT },
	[MCFAB_A_SATURATION_GROWTH_MICRO] = { SINT },
	[MCFAB_A_SATURATION_THRESHOLD_MICRO] = { UINT },
	[MCFAB_A_SATURATION_LATE_GROWTH_MICRO] = { SINT },
};

static const struct set saturation_set = {
	"saturation", MCFAB_A_SATURATION_MAX, saturation_spec
};

static const struct spec class_traffic_spec[MCFAB_A_CLASS_TRAFFIC_MAX + 1] = {
	[MCFAB_A_CLASS_TRAFFIC_NAME] = { STRING },
	[MCFAB_A_CLASS_TRAFFIC_LOAD] = { NEST, &load_set },
	[MCFAB_A_CLASS_TRAFFIC_OFFERED_PPB] = { UINT },
	[MCFAB_A_CLASS_TRAFFIC_ACCEPTED_PPB] = { UINT },
	[MCFAB_A_CLASS_TRAFFIC_EFFECTIVE_PPB] = { UINT },
	[MCFAB_A_CLASS_TRAFFIC_DELIVERED_PPB] = { UINT },
	[MCFAB_A_CLASS_TRAFFIC_STATS] = { NEST, &class_stats_set },
};

static const struct set class_traffic_set = {
	"class_traffic", MCFAB_A_CLASS_TRAFFIC_MAX, class_traffic_spec
};

static const struct spec stats_spec[MCFAB_A_STATS_MAX + 1] = {
	[MCFAB_A_STATS_FABRIC_ID] = { U32 },
	[MCFAB_A_STATS_FABRIC] = { STRING },
	[MCFAB_A_STATS_RUN] = { U32 },
	[MCFAB_A_STATS_STATE] = { U32 },
	[MCFAB_A_STATS_CYCLE_PS] = { U32 },
	[MCFAB_A_STATS_POLICY] = { STRING },
	[MCFAB_A_STATS_CYCLE] = { UINT },
	[MCFAB_A_STATS_MESSAGES] = { UINT },
	[MCFAB_A_STATS_DELIVERIES] = { UINT },
	[MCFAB_A_STATS_FLIT_HOPS] = { UINT },
	[MCFAB_A_STATS_STALLS] = { UINT },
	[MCFAB_A_STATS_HASH] = { UINT },
	[MCFAB_A_STATS_WALL_NS] = { UINT },
	[MCFAB_A_STATS_WINDOW_START] = { UINT },
	[MCFAB_A_STATS_WINDOW_END] = { UINT },
	[MCFAB_A_STATS_UNSETTLED] = { FLAG },
	[MCFAB_A_STATS_BATCHES] = { U32 },
	[MCFAB_A_STATS_BATCH_CYCLES] = { UINT },
	[MCFAB_A_STATS_OFFERED_PPB] = { UINT },
	[MCFAB_A_STATS_EFFECTIVE_PPB] = { UINT },
	[MCFAB_A_STATS_THROUGHPUT_PPB] = { UINT },
	[MCFAB_A_STATS_QUEUE_MAXIMUM] = { U32 },
	[MCFAB_A_STATS_QUEUE_MEAN_MICRO] = { UINT },
	[MCFAB_A_STATS_BALANCE] = { NEST, &balance_set },
	[MCFAB_A_STATS_MULTICAST] = { NEST, &class_stats_set },
	[MCFAB_A_STATS_UNICAST] = { NEST, &class_stats_set },
	[MCFAB_A_STATS_BAD_PARTS] = { UINT },
	[MCFAB_A_STATS_BAD_MESSAGES] = { UINT },
	[MCFAB_A_STATS_NI] = { NEST, &ni_set },
	[MCFAB_A_STATS_LOAD] = { NEST, &load_set },
	[MCFAB_A_STATS_ACCEPTED_PPB] = { UINT },
	[MCFAB_A_STATS_DELIVERED_PPB] = { UINT },
	[MCFAB_A_STATS_QUEUE_STARTUP_MICRO] = { UINT },
	[MCFAB_A_STATS_QUEUE_INJECTION_MICRO] = { UINT },
	[MCFAB_A_STATS_SATURATION] = { NEST, &saturation_set },
	[MCFAB_A_STATS_LOWER_BOUND] = { FLAG },
	[MCFAB_A_STATS_EXHAUSTED] = { UINT },
	[MCFAB_A_STATS_MODE] = { STRING },
	[MCFAB_A_STATS_MODE_WHY] = { STRING },
	[MCFAB_A_STATS_TRAFFIC_CLASS] = { NEST, &class_traffic_set },
	[MCFAB_A_STATS_SLIP] = { NEST, &slip_set },
};

static const struct set stats_set = { "stats", MCFAB_A_STATS_MAX, stats_spec };

static const struct spec link_spec[MCFAB_A_LINK_MAX + 1] = {
	[MCFAB_A_LINK_FABRIC_ID] = { U32 },
	[MCFAB_A_LINK_RUN] = { U32 },
	[MCFAB_A_LINK_CHANNEL] = { U32 },
	[MCFAB_A_LINK_FROM] = { U32 },
	[MCFAB_A_LINK_TO] = { U32 },
	[MCFAB_A_LINK_PORT] = { U32 },
	[MCFAB_A_LINK_FLITS] = { UINT },
	[MCFAB_A_LINK_UTILISATION_PPB] = { UINT },
	[MCFAB_A_LINK_WAIT_CYCLES] = { UINT },
};

static const struct set link_set = { "link", MCFAB_A_LINK_MAX, link_spec };

static const struct spec bucket_spec[MCFAB_A_BUCKET_MAX + 1] = {
	[MCFAB_A_BUCKET_FABRIC_ID] = { U32 },
	[MCFAB_A_BUCKET_RUN] = { U32 },
	[MCFAB_A_BUCKET_CLASS] = { U32 },
	[MCFAB_A_BUCKET_TYPE] = { U32 },
	[MCFAB_A_BUCKET_LOW] = { U32 },
	[MCFAB_A_BUCKET_HIGH] = { U32 },
	[MCFAB_A_BUCKET_COUNT] = { UINT },
	[MCFAB_A_BUCKET_TRAFFIC_CLASS] = { STRING },
};

static const struct set bucket_set = { "bucket", MCFAB_A_BUCKET_MAX, bucket_spec };

#endif
