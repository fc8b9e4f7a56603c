"""Public names of the modules that _public has no names of of PyTorch 2.6. Generated; do not edit: tools/record/public_names.py writes it."""

NAMES = {
    "torch._dynamo": """
        GenerationTracker OptimizedModule TensorifyState allow_in_graph assume_constant_result callback_handler
        code_context disable disallow_in_graph explain export forbid_in_graph graph_break graph_break_reasons
        is_compiling is_dynamo_supported is_inductor_supported list_backends lookup_backend mark_dynamic mark_static
        mark_static_address maybe_mark_dynamic on_compile_end on_compile_start optimize optimize_assert orig_code_map
        register_backend replay reset reset_code reset_code_caches reset_code_state reset_frame_count run set_stance
        substitute_in_graph
    """,
    "torch._inductor": """
        aot_compile aoti_compile_and_package aoti_load_package compile cudagraph_mark_step_begin list_mode_options
        list_options
    """,
    "torch._logging": """
        DEFAULT_LOGGING LazyString dtrace_structured getArtifactLogger get_structured_logging_overhead set_logs
        trace_structured warning_once
    """,
    "torch._ops": """
        DispatchKey HigherOrderOperator OpOverload OpOverloadPacket OperatorBase TorchBindOpOverload TorchDispatchMode
        add_cached_op cached_ops dispatch_functorch dl_open_guard get_cached_ops is_included_in_alias key_extractor
        mode_stack_state_for_pre_dispatch reset_cached_ops resolve_key unset_mode_pre_dispatch
    """,
    "torch._subclasses": """
        CrossRefFakeMode DynamicOutputShapeException FakeTensor FakeTensorMode UnsupportedFakeTensorException
    """,
    "torch.accelerator": """
        current_accelerator current_device_idx current_device_index current_stream device_count is_available
        set_device_idx set_device_index set_stream synchronize
    """,
    "torch.amp.autocast_mode": """
        HAS_NUMPY autocast autocast_decorator custom_bwd custom_fwd is_autocast_available
    """,
    "torch.amp.grad_scaler": """
        GradScaler OptState
    """,
    "torch.ao": """
        nn ns pruning quantization
    """,
    "torch.autograd.anomaly_mode": """
        detect_anomaly set_detect_anomaly
    """,
    "torch.autograd.forward_ad": """
        UnpackedDualTensor dual_level enter_dual_level exit_dual_level make_dual unpack_dual
    """,
    "torch.autograd.function": """
        BackwardCFunction Function FunctionCtx FunctionMeta InplaceFunction NestedIOFunction custom_function_call
        once_differentiable
    """,
    "torch.autograd.grad_mode": """
        F enable_grad inference_mode no_grad set_grad_enabled set_multithreading_enabled
    """,
    "torch.autograd.gradcheck": """
        FAILED_BATCHED_GRAD_MSG FAILED_BATCHED_GRAD_MSG_FWD_AD FAILED_NONDET_MSG FAST_FAIL_SLOW_OK_MSG GradcheckError
        get_analytical_jacobian get_numerical_jacobian get_numerical_jacobian_wrt_specific_input gradcheck gradgradcheck
        is_tensor_like vmap
    """,
    "torch.autograd.profiler": """
        DeviceType EnforceUnique EventList FunctionEvent Future KinetoStepTracker MEMORY_EVENT_NAME MemRecordsAcc
        OUT_OF_MEMORY_EVENT_NAME ProfilerActivity ProfilerConfig ProfilerState emit_itt emit_nvtx kineto_available
        load_nvprof parse_nvprof_trace profile record_function
    """,
    "torch.autograd.variable": """
        ImperativeEngine Variable VariableMeta
    """,
    "torch.compiler": """
        allow_in_graph assume_constant_result compile cudagraph_mark_step_begin disable is_compiling is_dynamo_compiling
        list_backends reset set_stance substitute_in_graph wrap_numpy
    """,
    "torch.cpu": """
        Event Stream StreamContext current_device current_stream device_count is_available set_device stream synchronize
    """,
    "torch.cpu.amp": """
        GradScaler autocast
    """,
    "torch.cuda.amp": """
        GradScaler amp_definitely_not_available autocast custom_bwd custom_fwd
    """,
    "torch.distributed": """
        AllToAllOptions AllreduceCoalescedOptions AllreduceOptions Backend BackendConfig BarrierOptions BroadcastOptions
        BuiltinCommHookType DebugLevel DeviceMesh DistBackendError DistError DistNetworkError DistStoreError FileStore
        GatherOptions GradBucket GroupMember HashStore Logger P2POp PrefixStore ProcessGroup ProcessGroupGloo
        ProcessGroupMPI ReduceOp ReduceOptions ReduceScatterOptions Reducer ScatterOptions Store TCPStore Work
        all_gather all_gather_coalesced all_gather_into_tensor all_gather_object all_reduce all_reduce_coalesced
        all_to_all all_to_all_single barrier batch_isend_irecv broadcast broadcast_object_list default_pg_timeout
        destroy_process_group gather gather_object get_backend get_backend_config get_debug_level
        get_default_backend_for_device get_global_rank get_group_rank get_node_local_rank get_pg_count
        get_process_group_ranks get_rank get_world_size group init_device_mesh init_process_group irecv is_available
        is_backend_available is_gloo_available is_initialized is_mpi_available is_nccl_available
        is_torchelastic_launched is_ucc_available is_xccl_available isend monitored_barrier new_group new_subgroups
        new_subgroups_by_enumeration recv recv_object_list reduce reduce_op reduce_scatter reduce_scatter_tensor
        register_rendezvous_handler rendezvous scatter scatter_object_list send send_object_list set_debug_level
        set_debug_level_from_env split_group supports_complex
    """,
    "torch.distributions.constraint_registry": """
        ConstraintRegistry biject_to transform_to
    """,
    "torch.distributions.constraints": """
        Constraint boolean cat corr_cholesky dependent dependent_property greater_than greater_than_eq
        half_open_interval independent integer_interval interval is_dependent less_than lower_cholesky lower_triangular
        multinomial nonnegative nonnegative_integer one_hot positive positive_definite positive_integer
        positive_semidefinite real real_vector simplex square stack symmetric unit_interval
    """,
    "torch.distributions.distribution": """
        Distribution lazy_property
    """,
    "torch.distributions.exp_family": """
        Distribution ExponentialFamily
    """,
    "torch.distributions.kl": """
        Bernoulli Beta Binomial Categorical Cauchy ContinuousBernoulli Dirichlet Distribution Exponential
        ExponentialFamily Gamma Geometric Gumbel HalfNormal Independent Laplace LowRankMultivariateNormal
        MultivariateNormal Normal OneHotCategorical Pareto Poisson TransformedDistribution Uniform inf kl_divergence
        register_kl
    """,
    "torch.distributions.transformed_distribution": """
        ComposeTransform Distribution Independent Transform TransformedDistribution
    """,
    "torch.distributions.transforms": """
        AbsTransform AffineTransform CatTransform ComposeTransform CorrCholeskyTransform CumulativeDistributionTransform
        ExpTransform IndependentTransform LowerCholeskyTransform PositiveDefiniteTransform PowerTransform
        ReshapeTransform SigmoidTransform SoftmaxTransform SoftplusTransform StackTransform StickBreakingTransform
        TanhTransform Transform broadcast_all identity_transform lazy_property pad softplus tril_matrix_to_vec
        vec_to_tril_matrix
    """,
    "torch.distributions.utils": """
        broadcast_all clamp_probs euler_constant is_tensor_like lazy_property logits_to_probs probs_to_logits
        tril_matrix_to_vec vec_to_tril_matrix
    """,
    "torch.export": """
        Constraint CustomDecompTable Dim ExportBackwardSignature ExportGraphSignature ExportedProgram FlatArgsAdapter
        FlattenFunc FromDumpableContextFn ModuleCallEntry ModuleCallSignature PassManager PassResult PassType
        ShapesCollection ToDumpableContextFn UnflattenFunc UnflattenedModule compatibility default_decompositions dims
        export export_for_inference export_for_training load register_dataclass save unflatten
    """,
    "torch.functional": """
        Tensor align_tensors atleast_1d atleast_2d atleast_3d block_diag boolean_dispatch broadcast_shapes
        broadcast_tensors cartesian_prod cdist chain_matmul einsum handle_torch_function has_torch_function
        has_torch_function_unary has_torch_function_variadic istft lu meshgrid norm pca_lowrank split stft svd_lowrank
        tensordot unique unique_consecutive unravel_index
    """,
    "torch.futures": """
        Future S collect_all wait_all
    """,
    "torch.fx": """
        CodeGen Graph GraphModule Interpreter Node PH Proxy ProxyableClassMeta Tracer Transformer has_side_effect
        map_arg replace_pattern symbolic_trace wrap
    """,
    "torch.hub": """
        DEFAULT_CACHE_DIR ENV_GITHUB_TOKEN ENV_TORCH_HOME ENV_XDG_CACHE_HOME MAP_LOCATION MODULE_HUBCONF READ_DATA_CHUNK
        VAR_DEPENDENCY download_url_to_file get_dir help list load load_state_dict_from_url set_dir tqdm
    """,
    "torch.library": """
        CustomOpDef Library OpOverload custom_op define device_types_t fallthrough_kernel get_ctx impl impl_abstract
        infer_schema opcheck register_autograd register_fake register_kernel register_torch_dispatch register_vmap
        triton_op wrap_triton
    """,
    "torch.monitor": """
        Aggregation COUNT Event EventHandlerHandle MAX MEAN MIN STAT_EVENT SUM Stat TensorboardEventHandler VALUE
        data_value_t log_event register_event_handler unregister_event_handler
    """,
    "torch.mps": """
        Event Tensor current_allocated_memory device_count driver_allocated_memory empty_cache get_rng_state
        is_available manual_seed profiler recommended_max_memory seed set_per_process_memory_fraction set_rng_state
        synchronize
    """,
    "torch.mtia": """
        DeferredMtiaCallError Device Event Stream StreamContext Tensor classproperty current_device current_stream
        default_stream device device_count empty_cache get_device_capability get_rng_state init is_available
        is_initialized max_memory_allocated memory_stats set_device set_rng_state set_stream stream synchronize
    """,
    "torch.multiprocessing": """
        Array AuthenticationError Barrier BoundedSemaphore BufferTooShort Condition ENV_VAR_PARALLEL_START Event
        JoinableQueue Lock Manager Pipe Pool Process ProcessContext ProcessError ProcessExitedException
        ProcessRaisedException Queue RLock RawArray RawValue Semaphore SimpleQueue SpawnContext TimeoutError Value
        active_children allow_connection_pickling cpu_count current_process freeze_support get_all_sharing_strategies
        get_all_start_methods get_context get_logger get_sharing_strategy get_start_method init_reductions log_to_stderr
        parent_process reducer set_executable set_forkserver_preload set_sharing_strategy set_start_method spawn
        start_processes
    """,
    "torch.nn.attention": """
        SDPAParams SDPBackend WARN_FOR_UNFUSED_KERNELS can_use_efficient_attention can_use_flash_attention sdpa_kernel
    """,
    "torch.nn.common_types": """
        Tensor
    """,
    "torch.nn.grad": """
        conv1d_input conv1d_weight conv2d_input conv2d_weight conv3d_input conv3d_weight
    """,
    "torch.nn.modules": """
        AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss AdaptiveMaxPool1d
        AdaptiveMaxPool2d AdaptiveMaxPool3d AlphaDropout AvgPool1d AvgPool2d AvgPool3d BCELoss BCEWithLogitsLoss
        BatchNorm1d BatchNorm2d BatchNorm3d Bilinear CELU CTCLoss ChannelShuffle CircularPad1d CircularPad2d
        CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d Container Conv1d Conv2d Conv3d ConvTranspose1d
        ConvTranspose2d ConvTranspose3d CosineEmbeddingLoss CosineSimilarity CrossEntropyLoss CrossMapLRN2d Dropout
        Dropout1d Dropout2d Dropout3d ELU Embedding EmbeddingBag FeatureAlphaDropout Flatten Fold FractionalMaxPool2d
        FractionalMaxPool3d GELU GLU GRU GRUCell GaussianNLLLoss GroupNorm Hardshrink Hardsigmoid Hardswish Hardtanh
        HingeEmbeddingLoss HuberLoss Identity InstanceNorm1d InstanceNorm2d InstanceNorm3d KLDivLoss L1Loss LPPool1d
        LPPool2d LPPool3d LSTM LSTMCell LayerNorm LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d
        LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d
        LazyInstanceNorm3d LazyLinear LeakyReLU Linear LocalResponseNorm LogSigmoid LogSoftmax MSELoss MarginRankingLoss
        MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d Mish Module ModuleDict ModuleList
        MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss MultiheadAttention NLLLoss NLLLoss2d PReLU
        PairwiseDistance ParameterDict ParameterList PixelShuffle PixelUnshuffle PoissonNLLLoss RMSNorm RNN RNNBase
        RNNCell RNNCellBase RReLU ReLU ReLU6 ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d
        ReplicationPad2d ReplicationPad3d SELU Sequential SiLU Sigmoid SmoothL1Loss SoftMarginLoss Softmax Softmax2d
        Softmin Softplus Softshrink Softsign SyncBatchNorm Tanh Tanhshrink Threshold Transformer TransformerDecoder
        TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer TripletMarginLoss
        TripletMarginWithDistanceLoss Unflatten Unfold Upsample UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d
        ZeroPad2d ZeroPad3d
    """,
    "torch.nn.parallel": """
        DataParallel DistributedDataParallel DistributedDataParallelCPU data_parallel gather parallel_apply replicate
        scatter
    """,
    "torch.nn.parameter": """
        Buffer Parameter UninitializedBuffer UninitializedParameter UninitializedTensorMixin is_lazy
    """,
    "torch.onnx": """
        DiagnosticOptions ExportOptions JitScalarType ONNXProgram ONNXRuntimeOptions OnnxExporterError OnnxRegistry
        OperatorExportTypes TensorProtoDataType TrainingMode dynamo_export enable_fake_mode errors export
        is_in_onnx_export is_onnxrt_backend_supported producer_name producer_version register_custom_op_symbolic
        select_model_mode_for_export symbolic_caffe2 symbolic_helper symbolic_opset10 symbolic_opset11 symbolic_opset12
        symbolic_opset13 symbolic_opset14 symbolic_opset15 symbolic_opset16 symbolic_opset17 symbolic_opset18
        symbolic_opset19 symbolic_opset20 symbolic_opset7 symbolic_opset8 symbolic_opset9 unregister_custom_op_symbolic
        utils
    """,
    "torch.optim.lbfgs": """
        LBFGS Optimizer ParamsT Tensor
    """,
    "torch.optim.optimizer": """
        Args DeviceDict DeviceDtypeDict GlobalOptimizerPostHook GlobalOptimizerPreHook Indices Kwargs Optimizer ParamsT
        R RemovableHandle StateDict TensorListList register_optimizer_step_post_hook register_optimizer_step_pre_hook
        required
    """,
    "torch.optim.swa_utils": """
        AveragedModel LRScheduler Module Optimizer PARAM_LIST SWALR Tensor get_ema_avg_fn get_ema_multi_avg_fn
        get_swa_avg_fn get_swa_multi_avg_fn update_bn
    """,
    "torch.package": """
        Directory EmptyMatchError GlobGroup Importer ObjMismatchError ObjNotFoundError OrderedImporter PackageExporter
        PackageImporter PackagingError is_from_package sys_importer
    """,
    "torch.profiler": """
        DeviceType ExecutionTraceObserver KinetoStepTracker ProfilerAction ProfilerActivity RecordScope kineto_available
        profile record_function register_optimizer_step_post_hook schedule supported_activities
        tensorboard_trace_handler
    """,
    "torch.quantization": """
        DEFAULT_DYNAMIC_QUANT_MODULE_MAPPINGS DEFAULT_FLOAT_TO_QUANTIZED_OPERATOR_MAPPINGS
        DEFAULT_MODULE_TO_ACT_POST_PROCESS DEFAULT_QAT_MODULE_MAPPINGS DEFAULT_REFERENCE_STATIC_QUANT_MODULE_MAPPINGS
        DEFAULT_STATIC_QUANT_MODULE_MAPPINGS DeQuantStub FakeQuantize FakeQuantizeBase FixedQParamsFakeQuantize
        FusedMovingAvgObsFakeQuantize HistogramObserver MinMaxObserver MovingAverageMinMaxObserver
        MovingAveragePerChannelMinMaxObserver NoopObserver ObserverBase PerChannelMinMaxObserver PlaceholderObserver
        QConfig QConfigAny QConfigDynamic QuantStub QuantType QuantWrapper RecordingObserver add_quant_dequant convert
        convert_dynamic_jit convert_jit default_activation_only_qconfig default_debug_observer default_debug_qconfig
        default_dynamic_qconfig default_dynamic_quant_observer default_eval_fn default_fake_quant
        default_fixed_qparams_range_0to1_fake_quant default_fixed_qparams_range_neg1to1_fake_quant
        default_float_qparams_observer default_fused_act_fake_quant default_fused_per_channel_wt_fake_quant
        default_fused_wt_fake_quant default_histogram_fake_quant default_histogram_observer default_observer
        default_per_channel_qconfig default_per_channel_weight_fake_quant default_per_channel_weight_observer
        default_placeholder_observer default_qat_qconfig default_qat_qconfig_v2 default_qconfig
        default_weight_fake_quant default_weight_observer default_weight_only_qconfig disable_fake_quant
        disable_observer enable_fake_quant enable_observer float16_dynamic_qconfig float16_static_qconfig
        float_qparams_weight_only_qconfig fuse_conv_bn fuse_conv_bn_jit fuse_conv_bn_relu fuse_linear_bn fuse_modules
        get_default_compare_output_module_list get_default_dynamic_quant_module_mappings
        get_default_float_to_quantized_operator_mappings get_default_qat_module_mappings get_default_qat_qconfig
        get_default_qconfig get_default_qconfig_propagation_list get_default_static_quant_module_mappings
        get_dynamic_quant_module_class get_fuser_method get_observer_state_dict get_quantized_operator
        get_static_quant_module_class load_observer_state_dict no_observer_set observer per_channel_dynamic_qconfig
        prepare prepare_dynamic_jit prepare_jit prepare_qat propagate_qconfig_ qconfig_equals quantize quantize_dynamic
        quantize_dynamic_jit quantize_jit quantize_qat script_qconfig script_qconfig_dict swap_module
    """,
    "torch.quasirandom": """
        SobolEngine
    """,
    "torch.serialization": """
        DEFAULT_PROTOCOL FILE_LIKE INT_SIZE IS_WINDOWS LONG_SIZE LoadEndianness MAGIC_NUMBER MAP_LOCATION MAP_PRIVATE
        MAP_SHARED PROTOCOL_VERSION SHORT_SIZE STORAGE STORAGE_KEY_SEPARATOR SourceChangeWarning Storage StorageType
        UNSAFE_MESSAGE add_safe_globals check_module_version_greater_or_equal clear_safe_globals
        default_restore_location get_crc32_options get_default_load_endianness get_default_mmap_options get_safe_globals
        get_source_lines_and_file get_unsafe_globals_in_checkpoint load location_tag mkdtemp normalize_storage_type
        register_package safe_globals save set_crc32_options set_default_load_endianness set_default_mmap_options
        skip_data storage_to_tensor_type validate_cuda_device validate_hpu_device
    """,
    "torch.signal": """
        windows
    """,
    "torch.storage": """
        HAS_NUMPY Storage TypedStorage UntypedStorage
    """,
    "torch.torch_version": """
        InvalidVersion TorchVersion Version cmp_method internal_version
    """,
    "torch.types": """
        BoolLikeType Device DispatchKey FloatLikeType IntLikeType Number PySymType Size Storage SymBool SymFloat SymInt
        Tensor py_sym_types
    """,
    "torch.utils._python_dispatch": """
        AliasInfo BaseTorchDispatchMode DispatchKey SchemaInfo TensorWithFlatten TorchDispatchMode get_alias_info
        is_in_torch_dispatch_mode is_traceable_wrapper_subclass is_traceable_wrapper_subclass_type parsed_schema_map
        return_and_correct_aliasing transform_subclass
    """,
    "torch.utils._triton": """
        dtype_to_string has_triton has_triton_package has_triton_tma has_triton_tma_device patch_triton_dtype_repr
        triton_backend triton_hash_with_backend
    """,
    "torch.utils.checkpoint": """
        CheckpointError CheckpointFunction CheckpointPolicy DefaultDeviceType LoggingTensorMode SAC_IGNORED_OPS
        SelectiveCheckpointContext TorchDispatchMode capture_logs check_backward_validity checkpoint
        checkpoint_sequential create_selective_checkpoint_contexts detach_variable get_device_states is_fun
        noop_context_fn set_checkpoint_debug_enabled set_checkpoint_early_stop set_device_states tree_map
    """,
    "torch.utils.hooks": """
        BackwardHook RemovableHandle unserializable_hook warn_if_has_hooks
    """,
    "torch.version": """
        __version__ cuda debug git_version hip xpu
    """,
    "torch.xpu": """
        Event Stream StreamContext current_device current_stream default_generators device device_count device_of
        empty_cache get_arch_list get_device_capability get_device_name get_device_properties get_gencode_flags
        get_rng_state get_rng_state_all init initial_seed is_available is_bf16_supported is_initialized manual_seed
        manual_seed_all max_memory_allocated max_memory_reserved mem_get_info memory_allocated memory_reserved
        memory_stats memory_stats_as_nested_dict reset_accumulated_memory_stats reset_peak_memory_stats seed seed_all
        set_device set_rng_state set_rng_state_all set_stream stream streams synchronize
    """,
}

PRIVATE = """
        torch._dynamo torch._functorch torch._inductor torch._logging torch._ops torch._subclasses
        torch.utils._python_dispatch torch.utils._triton
"""
